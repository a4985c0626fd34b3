/**
 * The environment that all pages are about, or all of them. It is in the address as `env`; views put it
 * into their queries with `withMatcher` (query/edit.ts).
 */

import { signal } from '@preact/signals'
import { dayMs } from '../../time-units.ts'
import { queryValues } from '../api/records.ts'
import { compareNames } from '../natural-order.ts'
import { textParam } from '../state/param-kinds.ts'
import { urlParam } from '../state/url-param.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'

/** Empty for all. */
export const environment = urlParam('env', textParam())

/** A view that must not be narrowed (a dashboard may say so) sets it for as long as it is shown. */
export const isEnvironmentHidden = signal(false)

/** The address of a page with the environment that holds now: it stays while one goes about. */
export function keepingEnvironment(path: string): string {
  const { env } = environment.change(environment.value)
  return env === undefined ? path : `${path}?${new URLSearchParams({ env })}`
}

const known = signal<readonly string[]>([])

/** How far back environments are looked for, ms. */
const lookBackMs = 7 * dayMs

export function EnvironmentMenu() {
  if (isEnvironmentHidden.value) return null
  const chosen = environment.value
  const names = [...new Set([...known.value, ...(chosen === '' ? [] : [chosen])])].sort(
    compareNames,
  )
  return (
    <Menu
      label={`env: ${chosen || 'all'}`}
      className={`button environment${chosen === '' ? '' : ' environment-chosen'}`}
      onOpen={() => void load()}
      items={[
        { heading: 'Environment' },
        { text: 'all', isChosen: chosen === '', run: () => environment.set('') },
        ...names.map(name => ({
          text: name,
          isChosen: name === chosen,
          run: () => environment.set(name),
        })),
      ]}
    >
      <Icon name="layers" />
      <span class="environment-label faint">env: </span>
      <span class="environment-name truncate">{chosen || 'all'}</span>
      <Icon name="down" />
    </Menu>
  )
}

async function load(): Promise<void> {
  const now = Date.now()
  const range = { startTime: now - lookBackMs, endTime: now }
  const asked = { query: 'logs', ...range, field: 'environment', limit: 50 }
  try {
    known.value = (await queryValues(asked)).values.map(({ value }) => value)
  } catch {
    // What was known stays; the page below says what is wrong with the service.
  }
}
