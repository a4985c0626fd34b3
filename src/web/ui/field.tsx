/** Labelled inputs with their hint and their error, tied together for readers of the screen. */

import type { ComponentChildren, Ref } from 'preact'
import { useId } from 'preact/hooks'

interface Labelled {
  readonly label: string
  readonly hint?: string | undefined
  /** What is wrong with the value; undefined while nothing is. */
  readonly error?: string | undefined
}

interface FrameProps extends Labelled {
  /** The input, with the attributes that tie it to what is around it. */
  children(tied: {
    readonly id: string
    readonly 'aria-invalid': true | undefined
    readonly 'aria-describedby': string | undefined
  }): ComponentChildren
}

/** Around an input: its label above it, and below it its hint or what is wrong. */
export function FieldFrame({ label, hint, error, children }: FrameProps) {
  const id = useId()
  // The error takes the hint's place: nothing below moves.
  const below = error ?? hint
  return (
    <div class="field column">
      <label class="field-label strong" for={id}>
        {label}
      </label>
      {children({
        id,
        'aria-invalid': error === undefined ? undefined : true,
        'aria-describedby': below === undefined ? undefined : `${id}-below`,
      })}
      {below && (
        <span
          class={error === undefined ? 'field-hint small soft' : 'field-error small tone-bad'}
          id={`${id}-below`}
        >
          {below}
        </span>
      )}
    </div>
  )
}

interface TextProps extends Labelled {
  readonly value: string
  readonly placeholder?: string
  /** At every letter. */
  onChange(text: string): void
}

interface FieldProps extends TextProps {
  readonly type?: 'text' | 'password'
  /** `off` when left out. */
  readonly autocomplete?: 'off' | 'current-password'
  readonly maxLength?: number
  readonly isRequired?: boolean
  readonly inputRef?: Ref<HTMLInputElement>
}

export function Field({ label, hint, error, onChange, ...props }: FieldProps) {
  const { type = 'text', isRequired, inputRef, ...own } = props
  return (
    <FieldFrame {...{ label, hint, error }}>
      {tied => (
        <input
          class="input"
          type={type as 'text'}
          autocomplete="off"
          spellcheck={false}
          required={isRequired}
          ref={inputRef ?? null}
          onInput={event => onChange(event.currentTarget.value)}
          {...tied}
          {...own}
        />
      )}
    </FieldFrame>
  )
}

/** Of several lines. */
export function AreaField({ label, hint, error, onChange, ...own }: TextProps) {
  return (
    <FieldFrame {...{ label, hint, error }}>
      {tied => (
        <textarea
          class="input input-area mono"
          rows={3}
          autocomplete="off"
          spellcheck={false}
          onInput={event => onChange(event.currentTarget.value)}
          {...tied}
          {...own}
        />
      )}
    </FieldFrame>
  )
}

interface SelectProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly text: string }[]
  onChange(value: T): void
}

export function SelectField<T extends string>({ label, value, options, onChange }: SelectProps<T>) {
  return (
    <FieldFrame label={label}>
      {tied => (
        <select
          class="input"
          value={value}
          onChange={event => onChange(event.currentTarget.value as T)}
          {...tied}
        >
          {options.map(option => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  )
}
