/**
 * A preference that this browser keeps: a signal whose value is stored, and follows other tabs. Only for
 * how things are shown; what is shown belongs into the address.
 */

import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { ParamKind } from './param-kinds.ts'

export interface Kept<T> extends ReadonlySignal<T> {
  set(value: T): void
}

export function kept<T>(name: string, kind: ParamKind<T>): Kept<T> {
  const key = `logstrata.${name}`
  const stored = () => kind.read(localStorage.getItem(key) ?? undefined)
  const current = signal(stored())
  addEventListener('storage', event => {
    if (event.key === key) current.value = stored()
  })
  return Object.assign(
    computed(() => current.value),
    {
      set(value: T) {
        current.value = value
        const text = kind.print(value)
        if (text === undefined) localStorage.removeItem(key)
        else localStorage.setItem(key, text)
      },
    },
  )
}
