/** A value that lives in the address: read it like a signal, set it and the address changes. */

import { computed, type ReadonlySignal } from '@preact/signals'
import { params, type Step, setParams } from './location.ts'
import type { ParamKind } from './param-kinds.ts'

export interface UrlParam<T> extends ReadonlySignal<T> {
  set(value: T, step?: Step): void
}

/** Several at once: `setParams({...a.change(1), ...b.change(2)})` makes one step of Back. */
export function urlParam<T>(
  name: string,
  kind: ParamKind<T>,
): UrlParam<T> & { change(value: T): Record<string, string | undefined> } {
  const text = computed(() => params.value.get(name) ?? undefined)
  const change = (value: T) => ({ [name]: kind.print(value) })
  return Object.assign(
    computed(() => kind.read(text.value)),
    {
      change,
      set: (value: T, step: Step = 'push') => setParams(change(value), step),
    },
  )
}
