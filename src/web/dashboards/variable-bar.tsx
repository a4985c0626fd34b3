/**
 * The variables of a dashboard: each a button that opens the values that there are now, or takes one that
 * is typed.
 */

import { useState } from 'preact/hooks'
import type { VariableValue } from '../../language/variables.ts'
import { queryValues } from '../api/records.ts'
import { countText } from '../format.ts'
import { compareNames } from '../natural-order.ts'
import { type Step, setParams } from '../state/location.ts'
import { useRequest } from '../state/request.ts'
import type { Times } from '../time/range.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Popover, usePopover } from '../ui/popover.tsx'
import type { Variable } from './model/board.ts'
import { anyValue, type Values, valueText, variableParam, withChoice } from './model/queries.ts'
import { narrowed } from './shown.ts'
import { PanelError, PanelNote } from './widgets/panel-states.tsx'

interface VariableBarProps {
  readonly variables: readonly Variable[]
  readonly values: Values
  /** The chosen range as it is now. */
  readonly timesNow: () => Times
  readonly environment: string
}

export function VariableBar({ variables, ...shown }: VariableBarProps) {
  if (variables.length === 0) return null
  return (
    <fieldset class="variables line wraps">
      <legend class="visually-hidden">Variables</legend>
      {variables.map(variable => (
        <VariableButton key={variable.name} variable={variable} {...shown} />
      ))}
    </fieldset>
  )
}

interface VariableButtonProps extends Omit<VariableBarProps, 'variables'> {
  readonly variable: Variable
}

function VariableButton({ variable, ...shown }: VariableButtonProps) {
  const { name, isOverridable, defaultValue } = variable
  const value = shown.values[name] ?? ''
  const { anchor, isOpen, close, button } = usePopover()
  const text = valueText(value)
  const content = (
    <>
      <span class="soft">{name}:</span> <span class="variable-value truncate">{text}</span>
    </>
  )
  if (!isOverridable) {
    return (
      <span class="variable variable-fixed" title={`${name} is fixed in this dashboard`}>
        {content}
      </span>
    )
  }
  const set = (chosen: VariableValue, step: Step) =>
    setParams({ [variableParam(name)]: chosen === defaultValue ? undefined : chosen }, step)
  const choose = (chosen: string) => {
    close()
    anchor.current?.focus()
    set(chosen, 'push')
  }
  return (
    <>
      <button
        type="button"
        class="button button-outline variable"
        aria-haspopup="dialog"
        ref={anchor}
        {...button}
      >
        {content}
        <Icon name="down" />
      </button>
      {isOpen && (
        <Popover anchor={anchor} label={`Values of ${name}`} onClose={close}>
          <ValueList
            variable={variable}
            value={value}
            onChoose={choose}
            onChange={next => set(next, 'replace')}
            {...shown}
          />
        </Popover>
      )}
    </>
  )
}

const valuesMax = 200

interface ValueListProps extends VariableButtonProps {
  readonly value: VariableValue
  /** This one alone, and nothing further is chosen. */
  onChoose(value: string): void
  /** What is chosen so far. */
  onChange(value: VariableValue): void
}

function ValueList(props: ValueListProps) {
  const { variable, values, value, timesNow, environment, onChoose, onChange } = props
  const [typed, setTyped] = useState('')
  // Also what came since the widgets asked last.
  const [times] = useState(timesNow)
  const { name, attribute, query, defaultValue } = variable
  // Its own value must not keep the others out; those of the other variables narrow the choice.
  const others = { ...values, [name]: defaultValue }
  const asked = {
    query: narrowed(query, { values: others, environment }),
    ...times,
    variables: others,
  }
  const found = useRequest(attribute === '' ? undefined : JSON.stringify([asked]), signal =>
    queryValues({ ...asked, field: attribute, limit: valuesMax }, signal),
  )
  const known = (found.answer?.values ?? [])
    .filter(one => one.value !== '')
    .toSorted((a, b) => compareNames(a.value, b.value))
  const chosen = typeof value === 'string' ? [value] : value
  const always = [...new Set([anyValue, defaultValue, ...chosen])].filter(
    one => one !== '' && !known.some(other => other.value === one),
  )
  const all = [...always.map(one => ({ value: one, count: undefined })), ...known]
  const choices = all.map(one => one.value).filter(one => one !== anyValue)
  const shown = all.filter(one => valueText(one.value).toLowerCase().includes(typed.toLowerCase()))
  return (
    <form
      class="value-list"
      onSubmit={event => {
        event.preventDefault()
        const only = shown.length === 1 ? shown[0]?.value : undefined
        if (typed !== '') onChoose(only ?? typed)
      }}
    >
      <input
        class="input"
        aria-label={`Find a value of ${name}, or type one`}
        placeholder="Find, or type a value"
        autocomplete="off"
        ref={focusOnce}
        value={typed}
        onInput={event => setTyped(event.currentTarget.value)}
      />
      {found.error !== undefined && <PanelError error={found.error} onRetry={found.refresh} />}
      <div class="value-choices">
        {shown.map(one => (
          <div class="value-choice" key={one.value}>
            {variable.isMultiple && one.value !== anyValue && (
              <input
                type="checkbox"
                aria-label={`Also ${valueText(one.value)}`}
                checked={chosen.includes(one.value)}
                onChange={() => onChange(withChoice(value, one.value, choices))}
              />
            )}
            <button
              type="button"
              class="menu-item line bare grows"
              aria-pressed={chosen.includes(one.value)}
              onClick={() => onChoose(one.value)}
            >
              <span class="truncate">{valueText(one.value)}</span>
              {one.count !== undefined && <span class="faint">{countText(one.count)}</span>}
              {chosen.includes(one.value) && <Icon name="check" />}
            </button>
          </div>
        ))}
        {shown.length === 0 && typed !== '' && <PanelNote>Enter takes “{typed}”</PanelNote>}
      </div>
      {variable.isMultiple && choices.length > 0 && (
        <div class="value-all">
          <Button isSmall onClick={() => onChange(anyValue)}>
            All
          </Button>
          <Button isSmall onClick={() => onChange('')}>
            None
          </Button>
        </div>
      )}
    </form>
  )
}

/** A function that stays the same is called when the input comes, and not at every letter. */
function focusOnce(input: HTMLInputElement | null): void {
  input?.focus()
}
