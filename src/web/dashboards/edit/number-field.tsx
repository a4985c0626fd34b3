/** A number that can be typed digit by digit: what is no number yet is not taken over. */

import { useEffect, useState } from 'preact/hooks'
import { FieldFrame } from '../../ui/field.tsx'

interface NumberFieldProps {
  readonly label: string
  readonly value: number | undefined
  readonly min?: number
  readonly max?: number
  /** Undefined when the field is emptied. */
  onChange(value: number | undefined): void
}

export function NumberField({ label, value, min, max, onChange }: NumberFieldProps) {
  const [text, setText] = useState(textOf(value))
  useEffect(() => {
    // What is being typed, such as "1.", is not written over by what it says.
    setText(before => (numberOf(before) === value ? before : textOf(value)))
  }, [value])
  return (
    <FieldFrame label={label}>
      {tied => (
        <input
          class="input"
          type="number"
          step="any"
          min={min}
          max={max}
          value={text}
          onInput={event => {
            const next = event.currentTarget.value
            setText(next)
            const number = numberOf(next)
            if (number !== undefined || next === '') onChange(number)
          }}
          onBlur={() => setText(textOf(value))}
          {...tied}
        />
      )}
    </FieldFrame>
  )
}

function textOf(value: number | undefined): string {
  return value === undefined ? '' : String(value)
}

function numberOf(text: string): number | undefined {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(number) ? number : undefined
}
