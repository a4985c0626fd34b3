/** Accessibility of the page as it is shown, by axe. */
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What axe finds wrong with the page as it is, in short. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const found = await page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: put there by the line above.
    const { axe } = window as any
    // All that is right is left out: to describe it takes most of the time.
    return (await axe.run({ resultTypes: ['violations'] })).violations
  })
  return found.flatMap(
    ({ id, nodes }: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  )
}
