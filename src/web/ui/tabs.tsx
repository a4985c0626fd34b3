/** Tabs over a panel, of which one is chosen. */

import { placeByKey } from './arrow-keys.ts'

interface TabsProps {
  readonly label: string
  /** Of the element that shows what is chosen; a tab's own has the tab's id behind it. */
  readonly panelId: string
  readonly chosen: string
  readonly tabs: readonly { readonly id: string; readonly name: string }[]
  onChoose(id: string): void
}

/** Arrows, Home and End go from tab to tab, and choose at once. */
export function Tabs({ label, panelId, chosen, tabs, onChoose }: TabsProps) {
  const idOf = (id: string) => `${panelId}-${id}`
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ id }) => id === chosen)
    const key = { ArrowRight: 'ArrowDown', ArrowLeft: 'ArrowUp' }[event.key] ?? event.key
    const next = placeByKey(key, at, tabs.length)
    if (next === undefined) return
    event.preventDefault()
    const { id } = tabs[next]!
    onChoose(id)
    document.getElementById(idOf(id))?.focus()
  }
  return (
    <div class="tabs wraps" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          class="tab hovers"
          role="tab"
          id={idOf(id)}
          aria-selected={id === chosen}
          aria-controls={panelId}
          tabIndex={id === chosen ? 0 : -1}
          onClick={() => onChoose(id)}
        >
          {name}
        </button>
      ))}
    </div>
  )
}
