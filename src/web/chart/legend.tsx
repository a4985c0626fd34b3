/**
 * The names of series with their colours. A click shows one alone, the next all again; with Shift or Ctrl it
 * comes or goes. By key: arrows move, Enter is the click, with Shift or Ctrl too.
 */

import { useRef, useState } from 'preact/hooks'
import { placeByKey } from '../ui/arrow-keys.ts'
import type { ChartSeries } from './chart.tsx'
import { shownOf, toggled } from './toggling.ts'

interface LegendProps {
  /** Of what; read out. */
  readonly label: string
  readonly series: readonly Pick<ChartSeries, 'name' | 'color'>[]
  /** The names that are shown alone; none for all. */
  readonly only: readonly string[]
  /** What is said beside a name. */
  textOf?(name: string): string
  /** Said behind the last. */
  readonly note?: string | undefined
  onOnly(only: readonly string[]): void
}

const arrows: Readonly<Record<string, string>> = { ArrowRight: 'ArrowDown', ArrowLeft: 'ArrowUp' }

export function Legend({ label, series, only, textOf, note, onOnly }: LegendProps) {
  const list = useRef<HTMLUListElement>(null)
  const [place, setPlace] = useState(0)
  const names = series.map(({ name }) => name)
  const shown = shownOf(names, only)
  const entered = Math.min(place, Math.max(0, names.length - 1))
  const choose = (name: string, event: MouseEvent | KeyboardEvent) => {
    const keepsOthers = event.shiftKey || event.ctrlKey || event.metaKey
    onOnly(toggled(names, only, name, keepsOthers))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const name = names[entered]
    if (event.key === 'Enter' && name !== undefined) {
      // Of the browser's own click not every browser says with which keys it was made.
      event.preventDefault()
      choose(name, event)
      return
    }
    const next = placeByKey(arrows[event.key] ?? event.key, entered, names.length)
    if (next === undefined) return
    event.preventDefault()
    setPlace(next)
    list.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <ul
      class="chart-legend small"
      aria-label={`Legend of ${label}`}
      ref={list}
      onKeyDown={onKeyDown}
    >
      {series.map(({ name, color }, at) => (
        <li key={name}>
          <button
            type="button"
            class="chart-legend-name hovers line soft"
            aria-pressed={shown.includes(name)}
            tabIndex={at === entered ? 0 : -1}
            title={`${name}\nClick: show it alone, or all again. Shift- or Ctrl-click: show or hide it.`}
            onFocus={() => setPlace(at)}
            onClick={event => choose(name, event)}
          >
            <span class="swatch" style={{ background: `var(${color})` }} />
            <span class="truncate">{name}</span>
            {textOf && <span class="faint">{textOf(name)}</span>}
          </button>
        </li>
      ))}
      {note !== undefined && <li class="faint">{note}</li>}
    </ul>
  )
}
