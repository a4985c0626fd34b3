/** The button that shows the time range, and what opens below it: presets, two times to type, the zone. */

import { useRef, useState } from 'preact/hooks'
import { parseDuration } from '../../language/duration.ts'
import { useCommands } from '../app/commands.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { Popover } from '../ui/popover.tsx'
import { dateTimeText } from './clock.ts'
import {
  durationWords,
  isRelative,
  lastRange,
  presets,
  rangeText,
  resolveRange,
  shiftedRange,
  type TimeRange,
} from './range.ts'
import { zone } from './zone.ts'

interface TimeRangeProps {
  readonly value: TimeRange
  onChange(range: TimeRange): void
}

export function TimeRangeButton({ value, onChange }: TimeRangeProps) {
  const button = useRef<HTMLButtonElement>(null)
  /** By a key the focus goes into it; under a pointer it stays, as on a phone its keyboard would come. */
  const [openedBy, setOpenedBy] = useState<'key' | 'pointer' | undefined>(undefined)
  const isOpen = openedBy !== undefined
  const close = useRef(() => setOpenedBy(undefined)).current
  const reading = { now: Date.now(), zone: zone.value }
  const text = rangeText(value, reading)
  const shift = (direction: -1 | 1) => {
    const next = shiftedRange(value, direction, { now: Date.now(), zone: zone.peek() })
    if (next !== undefined) onChange(next)
  }
  useCommands([
    {
      id: 'time.earlier',
      group: 'Time',
      text: 'Previous time range',
      keys: '[',
      run: () => shift(-1),
    },
    { id: 'time.later', group: 'Time', text: 'Next time range', keys: ']', run: () => shift(1) },
    {
      id: 'time.open',
      group: 'Time',
      text: 'Choose the time range',
      keys: 't',
      run: () => setOpenedBy('key'),
    },
    {
      id: 'time.zone',
      group: 'Time',
      text: 'Switch local time and UTC',
      keys: 'u',
      run: () => zone.set(zone.peek() === 'utc' ? 'local' : 'utc'),
    },
  ])
  return (
    <>
      <button
        type="button"
        class="button button-outline time-button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={`Time range: ${text}`}
        title="Time range (t)"
        ref={button}
        onClick={({ detail }) => setOpenedBy(isOpen ? undefined : detail === 0 ? 'key' : 'pointer')}
      >
        <Icon name="clock" />
        <span class="truncate">{text}</span>
        {!isRelative(value) && <span class="faint">{zone.value === 'utc' ? 'UTC' : ''}</span>}
        <Icon name="down" />
      </button>
      {isOpen && (
        <Popover anchor={button} label="Time range" takesFocus={openedBy === 'key'} onClose={close}>
          <RangeForm
            value={value}
            onChange={range => {
              close()
              button.current?.focus()
              onChange(range)
            }}
          />
        </Popover>
      )}
    </>
  )
}

function RangeForm({ value, onChange }: TimeRangeProps) {
  const reading = () => ({ now: Date.now(), zone: zone.value })
  const [from, setFrom] = useState(() => editable(value.from))
  const [to, setTo] = useState(() => editable(value.to))
  const [isTried, setTried] = useState(false)
  const resolved = resolveRange({ from, to }, reading())
  const errorAt = (field: 'from' | 'to') =>
    isTried && !resolved.ok && resolved.field === field ? resolved.reason : undefined

  const submit = (event: Event) => {
    event.preventDefault()
    setTried(true)
    if (!resolved.ok) return
    // Typed dates are in the zone that is shown; the address says it in one that all agree on.
    const iso = (time: number) => new Date(time).toISOString()
    onChange({
      from: isWord(from) ? from.trim() : iso(resolved.startTime),
      to: isWord(to) ? to.trim() : iso(resolved.endTime),
    })
  }
  return (
    <div class="range-form">
      <fieldset class="range-presets">
        <legend class="visually-hidden">Until now</legend>
        {presets.map(preset => {
          const range = lastRange(preset)
          const isChosen = range.from === value.from && range.to === value.to
          return (
            <Button key={preset} isSmall aria-pressed={isChosen} onClick={() => onChange(range)}>
              Last {durationWords(parseDuration(preset) ?? 0)}
            </Button>
          )
        })}
      </fieldset>
      <form class="range-times" onSubmit={submit}>
        <Field
          label="From"
          value={from}
          error={errorAt('from')}
          onInput={event => setFrom(event.currentTarget.value)}
        />
        <Field
          label="To"
          value={to}
          error={errorAt('to')}
          onInput={event => setTo(event.currentTarget.value)}
        />
        <p class="field-hint">now-2h, 14:30 or 2026-11-20 14:30</p>
        <fieldset class="range-shifts">
          <legend class="visually-hidden">The same length</legend>
          <ShiftButton {...{ value, onChange }} direction={-1} />
          <ShiftButton {...{ value, onChange }} direction={1} />
        </fieldset>
        <div class="range-actions">
          <fieldset class="zones">
            <legend class="visually-hidden">Times are</legend>
            {(['local', 'utc'] as const).map(choice => (
              <Button
                key={choice}
                isSmall
                aria-pressed={zone.value === choice}
                onClick={() => zone.set(choice)}
              >
                {choice === 'utc' ? 'UTC' : 'Local'}
              </Button>
            ))}
          </fieldset>
          <Button kind="primary" type="submit">
            Apply
          </Button>
        </div>
      </form>
    </div>
  )
}

/** To the stretch before or behind; where there is none it cannot be pressed. */
function ShiftButton({ value, onChange, direction }: TimeRangeProps & { direction: -1 | 1 }) {
  const next = shiftedRange(value, direction, { now: Date.now(), zone: zone.value })
  const [text, key] = direction < 0 ? ['Earlier', '['] : ['Later', ']']
  return (
    <Button
      isSmall
      kind="outline"
      title={`${text}, for the same length (${key})`}
      disabled={next === undefined}
      onClick={() => next && onChange(next)}
    >
      {text}
    </Button>
  )
}

/** A moment of the address as one would type it. */
function editable(text: string): string {
  return /^\d{4}-.*Z$/.test(text) ? dateTimeText(Date.parse(text), zone.peek()) : text
}

function isWord(text: string): boolean {
  return isRelative({ from: text.trim(), to: 'now' })
}
