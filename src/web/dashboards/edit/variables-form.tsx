/** The variables of a dashboard: names, first values, and whose values they offer. */

import { Button } from '../../ui/button.tsx'
import { CheckField } from '../../ui/check-field.tsx'
import { Field } from '../../ui/field.tsx'
import type { BoardModel } from '../board-model.ts'
import { withNewVariable } from '../model/changes.ts'
import {
  flagAt,
  type Json,
  listAt,
  type Path,
  textAt,
  valueAt,
  withValue,
} from '../model/json-tree.ts'

const variablesPath: Path = ['content', 'variables']

export function VariablesForm({ model }: { readonly model: BoardModel }) {
  const tree = model.tree.value
  const variables = listAt(tree, variablesPath)
  const names = variables.map(variable => textAt(variable, ['name']) ?? '')
  return (
    <div class="form column">
      <p class="soft">
        A query has the value of a variable where it says <code>$name</code>, mostly in quotes:{' '}
        <code>{'service.name=~"$service"'}</code>.
      </p>
      {variables.map((variable, at) => (
        <VariableFields
          key={at}
          model={model}
          variable={variable}
          path={[...variablesPath, at]}
          isTaken={names.indexOf(names[at]!) !== at}
        />
      ))}
      <Button kind="outline" icon="plus" onClick={() => model.change(withNewVariable(tree))}>
        Add a variable
      </Button>
    </div>
  )
}

interface VariableFieldsProps {
  readonly model: BoardModel
  readonly variable: Json
  readonly path: Path
  readonly isTaken: boolean
}

function VariableFields({ model, variable, path, isTaken }: VariableFieldsProps) {
  const set = (inner: Path, value: Json) => {
    const whole = [...path, ...inner]
    model.change(withValue(model.tree.peek(), whole, value), whole.join('.'))
  }
  const name = textAt(variable, ['name']) ?? ''
  const isDynamic = valueAt(variable, ['selector', 'dynamic']) !== undefined
  const attribute: Path = isDynamic
    ? ['selector', 'dynamic', 'attributeKey']
    : ['selectorSettings', 'attribute']
  const isWord = /^[\p{L}\p{M}\p{N}_.]+$/u.test(name)
  const fault = isTaken
    ? 'another variable has this name'
    : isWord
      ? undefined
      : 'letters, digits, “_” and “.” only'
  return (
    <fieldset class="form column form-part">
      <legend>{name === '' ? 'Variable' : `$${name}`}</legend>
      <Field label="Name" value={name} error={fault} onChange={text => set(['name'], text)} />
      <Field
        label="Values of the attribute"
        value={textAt(variable, attribute) ?? ''}
        hint="An attribute, such as service.name"
        onChange={text => set(attribute, text)}
      />
      <Field
        label="Default value"
        value={textAt(variable, ['defaultValue']) ?? ''}
        hint="“.*” stands for all, with =~"
        onChange={text => set(['defaultValue'], text)}
      />
      <CheckField
        label="Viewers can change it"
        isChecked={flagAt(variable, ['overridable']) ?? true}
        onChange={value => set(['overridable'], value)}
      />
      <CheckField
        label="Several values can be chosen"
        isChecked={flagAt(variable, ['multiple']) ?? (textAt(variable, attribute) ?? '') !== ''}
        onChange={value => set(['multiple'], value)}
      />
      <Button
        isSmall
        icon="trash"
        onClick={() => model.change(withValue(model.tree.peek(), path, undefined))}
      >
        Remove {name === '' ? 'the variable' : `$${name}`}
      </Button>
    </fieldset>
  )
}
