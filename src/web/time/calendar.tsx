/**
 * A month of days to pick from: one click is a day, the next one makes it a range. The arrow keys go through
 * the days, Page Up and Page Down through the months.
 */

import { useEffect, useRef, useState } from 'preact/hooks'
import { IconButton } from '../ui/button.tsx'
import { dateTimeText } from './clock.ts'
import { dayBy, daysOf, monthBy } from './days.ts'
import type { Reading, Times } from './range.ts'

interface CalendarProps {
  /** What is marked. */
  readonly range: Times | undefined
  readonly reading: Reading
  /** Dates such as `2026-11-20`, both inclusive. */
  onPick(first: string, last: string): void
}

const weekdays = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']

export function Calendar({ range, reading, onPick }: CalendarProps) {
  const dateAt = (time: number) => dateTimeText(time, reading.zone).slice(0, 10)
  const today = dateAt(reading.now)
  const [first, last] = range ? [dateAt(range.startTime), dateAt(range.endTime)] : ['', '']
  /** The day that the keys are at; the one after which a range is picked. */
  const [at, setAt] = useState(last !== '' && last < today ? last : today)
  const [begun, setBegun] = useState<string | undefined>(undefined)
  const box = useRef<HTMLDivElement>(null)
  const isMoved = useRef(false)
  useEffect(() => {
    if (isMoved.current) box.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    isMoved.current = false
  }, [at])

  const pick = (day: string) => {
    setAt(day)
    if (begun === undefined) onPick(day, day)
    else onPick(begun < day ? begun : day, begun < day ? day : begun)
    setBegun(begun === undefined ? day : undefined)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = dayBy(event.key, at)
    if (next === undefined) return
    event.preventDefault()
    isMoved.current = true
    setAt(next > today ? today : next)
  }
  return (
    <div class="calendar" ref={box}>
      <div class="calendar-head apart strong">
        <IconButton
          isSmall
          icon="left"
          label="Previous month"
          onClick={() => setAt(monthBy(at, -1))}
        />
        <span aria-live="polite">{monthText(at)}</span>
        <IconButton
          isSmall
          icon="right"
          label="Next month"
          disabled={at.slice(0, 7) >= today.slice(0, 7)}
          onClick={() => setAt(monthBy(at, 1) > today ? today : monthBy(at, 1))}
        />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the days in it take the keys. */}
      <div class="calendar-days" onKeyDown={onKeyDown}>
        {weekdays.map(name => (
          <span key={name} class="faint" aria-hidden="true">
            {name}
          </span>
        ))}
        {daysOf(at).map(day => {
          const isIn = first <= day && day <= last
          const isOther = day.slice(0, 7) !== at.slice(0, 7)
          return (
            <button
              key={day}
              type="button"
              class={`calendar-day${isOther ? ' faint' : ''}${day === today ? ' calendar-today' : ''}`}
              tabIndex={day === at ? 0 : -1}
              disabled={day > today}
              aria-pressed={isIn}
              aria-label={dayText(day)}
              onClick={() => pick(day)}
            >
              {Number(day.slice(8))}
            </button>
          )
        })}
      </div>
    </div>
  )
}

/** `7 November 2026`: what is told of a day begins with what is seen of it. */
function dayText(day: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  return format.format(Date.parse(`${day}T00:00:00Z`))
}

/** `November 2026` */
function monthText(day: string): string {
  const month = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return month.format(Date.parse(`${day}T00:00:00Z`))
}
