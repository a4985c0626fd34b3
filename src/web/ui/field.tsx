/** Labelled inputs with their hint and their error, tied together for readers of the screen. */

import type { Ref, TargetedInputEvent } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly type?: 'text' | 'password' | 'number' | 'search'
  readonly hint?: string
  /** What is wrong with the value; undefined while nothing is. */
  readonly error?: string | undefined
  readonly placeholder?: string
  /** `off` when left out. */
  readonly autocomplete?: 'off' | 'current-password'
  readonly maxLength?: number
  readonly isRequired?: boolean
  readonly inputRef?: Ref<HTMLInputElement>
  onInput(event: TargetedInputEvent<HTMLInputElement>): void
}

export function Field(props: FieldProps) {
  const { label, value, type = 'text', hint, error, autocomplete = 'off', inputRef } = props
  const id = useId()
  // The error takes the hint's place: nothing below moves.
  const below = error ?? hint
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <input
        id={id}
        class="input"
        type={type as 'text'}
        value={value}
        placeholder={props.placeholder}
        autocomplete={autocomplete}
        spellcheck={false}
        maxLength={props.maxLength}
        required={props.isRequired}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={below === undefined ? undefined : `${id}-below`}
        ref={inputRef ?? null}
        onInput={props.onInput}
      />
      {below && (
        <span class={error === undefined ? 'field-hint' : 'field-error'} id={`${id}-below`}>
          {below}
        </span>
      )}
    </div>
  )
}

interface AreaProps {
  readonly label: string
  readonly value: string
  readonly hint?: string
  /** What is wrong with the value; undefined while nothing is. */
  readonly error?: string | undefined
  readonly placeholder?: string
  readonly rows?: number
  onInput(event: TargetedInputEvent<HTMLTextAreaElement>): void
}

/** Of several lines. */
export function AreaField({ label, hint, error, rows = 3, ...input }: AreaProps) {
  const id = useId()
  const below = error ?? hint
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <textarea
        id={id}
        class="input input-area"
        rows={rows}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={below === undefined ? undefined : `${id}-below`}
        {...input}
      />
      {below && (
        <span class={error === undefined ? 'field-hint' : 'field-error'} id={`${id}-below`}>
          {below}
        </span>
      )}
    </div>
  )
}

interface SelectProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly text: string }[]
  onChange(value: T): void
}

export function SelectField<T extends string>({ label, value, options, onChange }: SelectProps<T>) {
  const id = useId()
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <select
        id={id}
        class="input"
        value={value}
        onChange={event => onChange(event.currentTarget.value as T)}
      >
        {options.map(option => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  )
}
