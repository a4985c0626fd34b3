/** How a receiver is reached, field by field, as its kind wants it. */

import type { ComponentChildren } from 'preact'
import type { ReceiverKind } from '../api/alerts.ts'
import { CheckField } from '../ui/check-field.tsx'
import { AreaField, Field, SelectField } from '../ui/field.tsx'
import {
  type Credentials,
  isKept,
  type ReceiverDraft,
  readHeaders,
  type SecretName,
} from './receiver-draft.ts'

interface ReachFieldsProps {
  readonly draft: ReceiverDraft
  /** As the form began. */
  readonly first: ReceiverDraft
  onChange(change: Partial<ReceiverDraft>): void
}

const hints: Readonly<Record<Exclude<ReceiverKind, 'email'>, string>> = {
  webhook: 'Gets JSON by POST, such as https://example.com/alerts',
  slack: 'An incoming webhook: https://hooks.slack.com/services/…',
  alertmanager: 'Its address without /api/v2, such as http://alertmanager:9093',
}

const encryptions = [
  { value: 'starttls', text: 'STARTTLS' },
  { value: 'tls', text: 'TLS' },
  { value: 'none', text: 'none' },
] as const

const withoutCredentials = { value: 'none', text: 'none' } as const
const byName = { value: 'basic', text: 'User and password' } as const
const byToken = { value: 'bearer', text: 'Bearer token' } as const

/** Value and change of a field that is a text. */
function textOf(
  { draft, onChange }: ReachFieldsProps,
  name: 'url' | 'host' | 'from' | 'to' | 'user' | SecretName,
) {
  return { value: draft[name], onChange: (text: string) => onChange({ [name]: text }) }
}

export function WebFields(props: ReachFieldsProps & { kind: Exclude<ReceiverKind, 'email'> }) {
  const { draft, kind } = props
  const isWrong = readHeaders(draft.headers) === undefined
  return (
    <>
      <Field label="Address" hint={hints[kind]} {...textOf(props, 'url')} />
      {kind === 'webhook' && (
        <>
          <Secret {...props} name="secret" what="the secret that signs">
            <Field
              label="Secret that signs"
              type="password"
              hint="Optional"
              {...textOf(props, 'secret')}
            />
          </Secret>
          <Secret {...props} name="headers" what="further headers">
            <AreaField
              label="Further headers"
              placeholder="Authorization: Bearer …"
              hint="Optional; one a line"
              error={isWrong ? 'write one a line, as Name: value' : undefined}
              {...textOf(props, 'headers')}
            />
          </Secret>
        </>
      )}
      {kind === 'alertmanager' && (
        <CredentialFields {...props} options={[withoutCredentials, byName, byToken]} />
      )}
    </>
  )
}

export function EmailFields(props: ReachFieldsProps) {
  const { draft, onChange } = props
  return (
    <>
      <Field label="Mail server" placeholder="mail.example.com:587" {...textOf(props, 'host')} />
      <SelectField
        label="Encryption"
        value={draft.tls}
        options={encryptions}
        onChange={tls => onChange({ tls })}
      />
      <Field label="From" placeholder="logs@example.com" {...textOf(props, 'from')} />
      <Field label="To" hint="Addresses, separated by commas" {...textOf(props, 'to')} />
      <CredentialFields {...props} options={[withoutCredentials, byName]} />
    </>
  )
}

interface CredentialFieldsProps extends ReachFieldsProps {
  readonly options: readonly { readonly value: Credentials; readonly text: string }[]
}

function CredentialFields({ options, ...props }: CredentialFieldsProps) {
  const { draft, onChange } = props
  const { value } = options.find(one => one.value === draft.credentials) ?? withoutCredentials
  return (
    <>
      <SelectField
        label="Credentials"
        value={value}
        options={options}
        onChange={credentials => onChange({ credentials })}
      />
      {value === 'basic' && (
        <>
          <Field label="User" {...textOf(props, 'user')} />
          <Secret {...props} name="password" what="the password">
            <Field label="Password" type="password" {...textOf(props, 'password')} />
          </Secret>
        </>
      )}
      {value === 'bearer' && (
        <Secret {...props} name="token" what="the token">
          <Field label="Token" type="password" {...textOf(props, 'token')} />
        </Secret>
      )}
    </>
  )
}

interface SecretProps extends ReachFieldsProps {
  readonly name: SecretName
  readonly what: string
  /** Its field, for one that is not kept. */
  readonly children: ComponentChildren
}

function Secret({ draft, first, onChange, name, what, children }: SecretProps) {
  const had = first.kept.includes(name)
  const keeps = isKept(draft, first, name)
  return (
    <>
      {had && isKept({ ...draft, kept: first.kept }, first, name) && (
        <CheckField
          label={`Keep ${what}`}
          isChecked={keeps}
          onChange={is =>
            onChange({ kept: is ? [...draft.kept, name] : draft.kept.filter(one => one !== name) })
          }
        />
      )}
      {!keeps && children}
    </>
  )
}
