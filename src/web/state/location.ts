/**
 * The address bar as a signal. Everything that the page shows follows from it, so a link shows the same,
 * and Back goes back. Links are ordinary `<a href>`; clicks on them change the address here instead of
 * loading the page again.
 */

import { computed, signal } from '@preact/signals'
import { pageAt } from '../../http/page-paths.ts'

/** `push`: Back returns to where one was. `replace`: a detail of where one is. */
export type Step = 'push' | 'replace'

const address = signal(currentAddress())

export const path = computed(() => address.value.pathname)
/** The page at the path; undefined when there is none. */
export const place = computed(() => pageAt(path.value))
/** A copy at each change; change it by `setParams`. */
export const params = computed(() => new URLSearchParams(address.value.search))

let mayLeave = (): boolean => true

/** Asks `guard` before another path is gone to, until the returned function is called: false stays here. */
export function guardLeaving(guard: () => boolean): () => void {
  mayLeave = guard
  return () => {
    if (mayLeave === guard) mayLeave = () => true
  }
}

addEventListener('popstate', () => {
  const isElsewhere = window.location.pathname !== address.peek().pathname
  if (isElsewhere && !mayLeave()) history.pushState(null, '', address.peek())
  else refresh()
})

/** Goes to an address of our own, such as `/logs?query=logs`. */
export function go(to: string, step: Step = 'push'): void {
  const next = new URL(to, window.location.href)
  if (next.href === window.location.href) return
  if (next.pathname !== window.location.pathname && !mayLeave()) return
  if (step === 'push') history.pushState(null, '', next)
  else history.replaceState(null, '', next)
  refresh()
}

/**
 * Sets or, with undefined, removes parameters of the address; those not named stay. Of several values each
 * is there as a parameter of its own.
 */
export function setParams(
  changes: Readonly<Record<string, string | readonly string[] | undefined>>,
  step: Step = 'push',
): void {
  const next = new URL(window.location.href)
  for (const [name, value] of Object.entries(changes)) {
    next.searchParams.delete(name)
    const values = typeof value === 'string' ? [value] : (value ?? [])
    for (const one of values) next.searchParams.append(name, one)
  }
  go(next.href, step)
}

/** The address without the host, such as `/logs?query=logs`. */
export function here(): string {
  return address.peek().pathname + address.peek().search
}

/** Makes links of the page change the address only. Call once. */
export function followLinks(): void {
  document.addEventListener('click', event => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey
    if (link === null || event.defaultPrevented || !isPlain || event.altKey) return
    if (link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin)
      return
    if (pageAt(link.pathname) === undefined) return // Such as /openapi.json.
    event.preventDefault()
    go(link.href)
  })
}

function currentAddress(): URL {
  return new URL(window.location.href)
}

function refresh(): void {
  address.value = currentAddress()
}
