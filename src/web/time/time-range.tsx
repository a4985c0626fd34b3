/** The button that shows the time range, and what opens below it: presets, two times to type, the zone. */

import { useState } from 'preact/hooks'
import { parseDuration } from '../../language/duration.ts'
import { useCommands } from '../app/commands.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { Popover, usePopover } from '../ui/popover.tsx'
import { Calendar } from './calendar.tsx'
import { dateTimeText } from './clock.ts'
import {
  durationWords,
  isRelative,
  lastRange,
  presets,
  type Reading,
  rangeText,
  resolveRange,
  shiftedRange,
  type TimeRange,
  textOf,
  today,
  typedRange,
  yesterday,
} from './range.ts'
import { addRecent, recentRanges } from './recent.ts'
import { toggleZone, zone } from './zone.ts'

interface TimeRangeProps {
  readonly value: TimeRange
  onChange(range: TimeRange): void
}

export function TimeRangeButton({ value, onChange }: TimeRangeProps) {
  const { anchor, isOpen, isByKey, open, close, button } = usePopover()
  const reading = { now: Date.now(), zone: zone.value }
  const text = rangeText(value, reading)
  const shift = (direction: -1 | 1) => {
    const next = shiftedRange(value, direction, { now: Date.now(), zone: zone.peek() })
    if (next !== undefined) onChange(next)
  }
  useCommands('Time', [
    { id: 'time.earlier', text: 'Previous time range', keys: '[', run: () => shift(-1) },
    { id: 'time.later', text: 'Next time range', keys: ']', run: () => shift(1) },
    {
      id: 'time.open',
      text: 'Choose the time range',
      keys: 't',
      run: open,
    },
    {
      id: 'time.zone',
      text: 'Switch local time and UTC',
      keys: 'u',
      run: toggleZone,
    },
  ])
  return (
    <>
      <button
        type="button"
        class="button button-outline time-button"
        aria-haspopup="dialog"
        aria-label={`Time range: ${text}`}
        title="Time range (t)"
        ref={anchor}
        {...button}
      >
        <Icon name="clock" />
        <span class="truncate">{text}</span>
        {!isRelative(value) && <span class="faint">{zone.value === 'utc' ? 'UTC' : ''}</span>}
        <Icon name="down" />
      </button>
      {isOpen && (
        <Popover anchor={anchor} label="Time range" takesFocus={isByKey} onClose={close}>
          <RangeForm
            value={value}
            onChange={range => {
              close()
              anchor.current?.focus()
              onChange(range)
            }}
          />
        </Popover>
      )}
    </>
  )
}

function RangeForm({ value, onChange }: TimeRangeProps) {
  const reading = { now: Date.now(), zone: zone.value }
  const [typed, setTyped] = useState('')
  const [from, setFrom] = useState(() => editable(value.from))
  const [to, setTo] = useState(() => editable(value.to))
  const [isTried, setTried] = useState(false)
  const one = typed.trim() === '' ? undefined : typedRange(typed, reading)
  const resolved = resolveRange({ from, to }, reading)
  const errorAt = (field: 'from' | 'to') =>
    isTried && !resolved.ok && resolved.field === field ? resolved.reason : undefined

  /** What was typed last holds. */
  const type = (set: (text: string) => void, text: string) => {
    setTyped('')
    set(text)
  }
  const choose = (range: TimeRange) => {
    addRecent(range)
    onChange(range)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    setTried(true)
    if (typed.trim() !== '') {
      if (one !== undefined) choose(inAddress(one, reading))
    } else if (resolved.ok) {
      choose(inAddress({ from, to }, reading))
    }
  }
  return (
    <div class="range-form">
      <RangeChoices value={value} onChange={onChange} reading={reading} />
      <form class="range-times column" onSubmit={submit}>
        <Field
          label="Range"
          placeholder="now-2h to now-1h, 14:00–15:00"
          value={typed}
          error={isTried && typed.trim() !== '' && one === undefined ? rangeForms : undefined}
          onChange={setTyped}
        />
        <div class="range-ends">
          <Field
            label="From"
            value={from}
            error={errorAt('from')}
            onChange={text => type(setFrom, text)}
          />
          <Field label="To" value={to} error={errorAt('to')} onChange={text => type(setTo, text)} />
        </div>
        <Calendar
          range={resolved.ok ? resolved : undefined}
          reading={reading}
          onPick={(first, last) => {
            setTyped('')
            setFrom(first)
            setTo(last)
          }}
        />
        <fieldset class="range-shifts">
          <legend class="visually-hidden">The same length</legend>
          <ShiftButton {...{ value, onChange }} direction={-1} />
          <ShiftButton {...{ value, onChange }} direction={1} />
        </fieldset>
        <div class="range-actions apart">
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

const rangeForms = 'write now-2h to now-1h, 14:00–15:00, yesterday or 2026-11-20 to 2026-11-22'

/** Ranges of one click: until now, whole days, and those that were chosen last. */
function RangeChoices({ value, onChange, reading }: TimeRangeProps & { reading: Reading }) {
  const last = presets.map(preset => ({
    range: lastRange(preset),
    text: `Last ${durationWords(parseDuration(preset) ?? 0)}`,
  }))
  const days = [today, yesterday].map(range => ({ range, text: rangeText(range, reading) }))
  const chosen = recentRanges.value.map(range => ({ range, text: rangeText(range, reading) }))
  return (
    <fieldset class="range-presets column">
      <legend class="visually-hidden">Ranges</legend>
      {[...last, ...days, ...chosen].map(({ range, text }, at) => (
        <Button
          key={textOf(range)}
          isSmall
          data-recent={at >= last.length + days.length}
          aria-pressed={range.from === value.from && range.to === value.to}
          title={textOf(range)}
          onClick={() => onChange(range)}
        >
          {text}
        </Button>
      ))}
    </fieldset>
  )
}

/** Typed dates are in the zone that is shown; the address says it in one that all agree on. */
function inAddress({ from, to }: TimeRange, reading: Reading): TimeRange {
  const resolved = resolveRange({ from, to }, reading)
  if (!resolved.ok) return { from, to }
  const iso = (time: number) => new Date(time).toISOString()
  return {
    from: isWord(from) ? from.trim() : iso(resolved.startTime),
    to: isWord(to) ? to.trim() : iso(resolved.endTime),
  }
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
