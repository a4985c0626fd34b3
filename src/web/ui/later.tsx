/** A part of a view that is loaded when it is shown first, so that the page begins without it. */

import type { ComponentType, VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ErrorState } from './states.tsx'

/** @param load Imports the part; called once for each time that it is shown. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => VNode | null {
  let loaded: ComponentType<Props> | undefined
  return function Later(props: Props) {
    const [Part, setPart] = useState(() => loaded)
    const [error, setError] = useState<unknown>(undefined)
    useEffect(() => {
      load().then(part => {
        loaded = part
        setPart(() => part)
      }, setError)
    }, [])
    if (error !== undefined) return <ErrorState error={error} />
    return Part === undefined ? null : <Part {...props} />
  }
}
