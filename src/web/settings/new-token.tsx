/** Making an ingestion token: service name and environment, both required, and how messages are read. */

import { useRef, useState } from 'preact/hooks'
import { ApiProblem } from '../api/problem.ts'
import { createToken } from '../api/settings.ts'
import { CheckField } from '../ui/check-field.tsx'
import { Field } from '../ui/field.tsx'
import { ActionDialog } from './action-dialog.tsx'

interface NewTokenDialogProps {
  onClose(): void
  /** With the new token's id. */
  onCreated(id: string): void
}

type FieldName = 'serviceName' | 'environment'

const missing = {
  serviceName: 'Required: without it nobody could tell whose records these are.',
  environment: 'Required: write prod, staging, or whatever you call it.',
} as const

export function NewTokenDialog({ onClose, onCreated }: NewTokenDialogProps) {
  const [values, setValues] = useState({ serviceName: '', environment: '' })
  const [isParsed, setParsed] = useState(false)
  const [isForBrowsers, setForBrowsers] = useState(false)
  const [errors, setErrors] = useState<Partial<Record<FieldName, string>>>({})
  const inputs = {
    serviceName: useRef<HTMLInputElement>(null),
    environment: useRef<HTMLInputElement>(null),
  }
  const refuse = (found: Partial<Record<FieldName, string>>) => {
    setErrors(found)
    inputs['serviceName' in found ? 'serviceName' : 'environment'].current?.focus()
  }
  const create = async () => {
    const found: Partial<Record<FieldName, string>> = {}
    if (values.serviceName.trim() === '') found.serviceName = missing.serviceName
    if (values.environment.trim() === '') found.environment = missing.environment
    if (Object.keys(found).length > 0) {
      refuse(found)
      return
    }
    try {
      const parse = isParsed ? 'json' : null
      onCreated((await createToken({ ...values, parse, browser: isForBrowsers })).id)
    } catch (error) {
      const field = error instanceof ApiProblem ? error.field : undefined
      if (field !== 'serviceName' && field !== 'environment') throw error
      refuse({ [field]: (error as ApiProblem).message })
    }
  }
  const fieldOf = (name: FieldName, label: string, hint: string) => (
    <Field
      label={label}
      hint={hint}
      isRequired
      value={values[name]}
      error={errors[name]}
      inputRef={inputs[name]}
      onChange={text => {
        setValues({ ...values, [name]: text })
        setErrors({ ...errors, [name]: undefined })
      }}
    />
  )
  return (
    <ActionDialog
      title="New ingestion token"
      act="Create token"
      kind="primary"
      onAct={create}
      onClose={onClose}
    >
      {fieldOf(
        'serviceName',
        'Service name',
        'Required. Who sends, such as checkout: becomes service.name of every record.',
      )}
      {fieldOf(
        'environment',
        'Environment',
        'Required. Where it runs, such as prod: becomes environment of every record.',
      )}
      <CheckField
        label="Parse messages that are JSON, as from Docker, Kubernetes or Fluent Bit"
        isChecked={isParsed}
        onChange={setParsed}
      />
      <CheckField
        label="For pages in a browser, which anybody can read: from allowed origins only, at a limited rate"
        isChecked={isForBrowsers}
        onChange={setForBrowsers}
      />
      <p class="soft">
        A token cannot be changed later. One for each service and environment lets you delete one
        without silencing the others.
      </p>
    </ActionDialog>
  )
}
