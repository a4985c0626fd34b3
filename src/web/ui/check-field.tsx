/** A box to tick, with its label. */

interface CheckFieldProps {
  readonly label: string
  readonly isChecked: boolean
  onChange(isChecked: boolean): void
}

export function CheckField({ label, isChecked, onChange }: CheckFieldProps) {
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={isChecked}
        onChange={event => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  )
}
