/**
 * What is done in one way on a desktop and in another on a phone, such as a button there that is in a menu
 * here: for the tests of both.
 */
import type { Locator } from 'playwright-core'
import type { View } from './browser.ts'

/** Chooses the theme: by the button in the header, or by the menu of the user. */
export async function chooseTheme({ page, isPhone }: View, theme: 'dark' | 'light'): Promise<void> {
  if (!isPhone) return page.getByRole('button', { name: `Switch to ${theme}` }).click()
  await page.getByRole('button', { name: /^Signed in as/ }).click()
  const item = theme === 'dark' ? 'Dark' : 'Light'
  await page.getByRole('menuitemradio', { name: item, exact: true }).click()
  await page.getByRole('menu').waitFor({ state: 'detached' })
}

/** The fields of the log viewer, which are a sheet on a phone: opened here. */
export async function fieldsOf({ page, isPhone }: View): Promise<Locator> {
  if (!isPhone) return page.getByRole('complementary', { name: 'Fields' })
  await page.getByRole('button', { name: 'Show the fields' }).click()
  return page.getByRole('dialog', { name: 'Fields' })
}

/** Lets a dashboard fill the screen. */
export async function fillScreen({ page, isPhone }: View): Promise<void> {
  if (!isPhone) return page.getByRole('button', { name: 'Full screen' }).click()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Full screen' }).click()
}

/** Of a record in the list, pixels. */
export function rowHeightOf({ isPhone }: View): number {
  return isPhone ? 44 : 24
}
