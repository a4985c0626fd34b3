/** A part of a view that is loaded when it is shown first, so that the page begins without it. */

import type { ComponentType, VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ErrorState } from './states.tsx'

/**
 * @param load Imports the part; called once for each time that it is shown, and to `begin` before.
 * @param onRetry Offered where it cannot be loaded.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  onRetry?: () => void,
) {
  let loaded: ComponentType<Props> | undefined
  const begin = async () => {
    loaded = await load()
    return loaded
  }
  function Later(props: Props): VNode | null {
    const [Part, setPart] = useState(() => loaded)
    const [error, setError] = useState<unknown>(undefined)
    useEffect(() => {
      begin().then(part => setPart(() => part), setError)
    }, [])
    if (error !== undefined) return <ErrorState error={error} {...(onRetry && { onRetry })} />
    return Part === undefined ? null : <Part {...props} />
  }
  return Object.assign(Later, { begin })
}
