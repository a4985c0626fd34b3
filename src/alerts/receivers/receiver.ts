/** Receivers: who is told of alerts, and how. */
import { type Static, Type } from 'typebox'
import { nameSchema } from '../../catalog/names.ts'
import { ProblemError } from '../../problems.ts'
import type { Timestamp } from '../../record.ts'
import { checkBody } from '../../schema/check.ts'
import { idSchema } from '../rule.ts'

const lengthMax = 2_048
const text = (description: string) =>
  Type.String({ minLength: 1, maxLength: lengthMax, description })
const secret = Type.Optional(text(`a text of 1 to ${lengthMax} characters`))
const url = text('an address such as https://example.com/hook')

const webhookSchema = Type.Object({
  url,
  headers: Type.Optional(
    Type.Record(
      Type.String({ pattern: "^[\\w!#$%&'*+.^`|~-]{1,128}$" }),
      Type.String({ maxLength: lengthMax, pattern: '^[\\x20-\\x7e]*$' }),
      {
        maxProperties: 20,
        additionalProperties: false,
        description: 'at most 20 headers, of visible ASCII characters',
      },
    ),
  ),
  secret,
})

const slackSchema = Type.Object({ url })

const mailAddress = Type.String({
  maxLength: 320,
  pattern: '^[^\\s<>,;:"@]+@[^\\s<>,;:"@]+$',
  description: 'an address such as on-call@example.com',
})

const emailSchema = Type.Object({
  host: Type.String({
    pattern: '^[\\w.:-]{1,253}$',
    description: 'the name or address of a mail server',
  }),
  port: Type.Integer({ minimum: 1, maximum: 65_535, description: 'a port, such as 587' }),
  tls: Type.Enum(['starttls', 'tls', 'none']),
  user: secret,
  password: secret,
  from: mailAddress,
  to: Type.Array(mailAddress, { minItems: 1, maxItems: 20, description: '1 to 20 addresses' }),
})

const alertmanagerSchema = Type.Object({
  url,
  user: secret,
  password: secret,
  token: secret,
})

const configSchemas = {
  webhook: webhookSchema,
  slack: slackSchema,
  email: emailSchema,
  alertmanager: alertmanagerSchema,
} as const

export type ReceiverKind = keyof typeof configSchemas
export const receiverKinds = Object.keys(configSchemas) as ReceiverKind[]

export const receiverSchema = Type.Object({
  id: Type.Optional(idSchema),
  name: nameSchema('what it is called'),
  kind: Type.Enum(receiverKinds),
  webhook: Type.Optional(webhookSchema),
  slack: Type.Optional(slackSchema),
  email: Type.Optional(emailSchema),
  alertmanager: Type.Optional(alertmanagerSchema),
})

export type WebhookConfig = Static<typeof webhookSchema>
export type SlackConfig = Static<typeof slackSchema>
export type EmailConfig = Static<typeof emailSchema>
export type AlertmanagerConfig = Static<typeof alertmanagerSchema>

/** How a receiver is reached, with its secrets. */
export type ReceiverConfig =
  | { readonly kind: 'webhook'; readonly webhook: WebhookConfig }
  | { readonly kind: 'slack'; readonly slack: SlackConfig }
  | { readonly kind: 'email'; readonly email: EmailConfig }
  | { readonly kind: 'alertmanager'; readonly alertmanager: AlertmanagerConfig }

/** A receiver in memory. */
export interface Receiver {
  readonly id: string
  readonly name: string
  readonly createdAt: Timestamp
  /** Undefined when it cannot be decrypted: another `secret.key`. */
  readonly config: ReceiverConfig | undefined
  readonly kind: ReceiverKind
}

/** A receiver without its secrets. */
export interface ReceiverShown {
  readonly id: string
  readonly name: string
  readonly kind: ReceiverKind
  readonly createdAt: Timestamp
  /** Where it is reached, without what may be secret in it; empty when it cannot be decrypted. */
  readonly target: string
  /** Which secrets it has. */
  readonly secrets: readonly string[]
}

/**
 * What a request describes. Secrets that are left out are those of `before`, when it is reached at the
 * same place: nobody can send them elsewhere who does not know them.
 * @throws ProblemError `field_invalid`.
 */
export function readReceiver(
  request: unknown,
  find: (id: string) => Receiver | undefined,
): { readonly id: string | undefined; readonly name: string; readonly config: ReceiverConfig } {
  const { id, name, kind, ...configs } = checkBody(receiverSchema, request)
  const config = configs[kind]
  if (config === undefined) {
    const detail = `"${kind}" is missing: it says how a receiver of this kind is reached`
    throw new ProblemError('field_invalid', detail, { field: kind })
  }
  if ('url' in config) checkUrl(config.url, `${kind}.url`)
  const read = { kind, [kind]: config } as unknown as ReceiverConfig
  const before = id === undefined ? undefined : find(id)?.config
  return { id, name: name.trim(), config: before === undefined ? read : completed(read, before) }
}

function checkUrl(text: string, field: string): void {
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  const isWeb = parsed?.protocol === 'http:' || parsed?.protocol === 'https:'
  if (parsed !== undefined && isWeb && parsed.username === '' && parsed.password === '') return
  const detail = `"${field}" must be an address that begins with http:// or https://, without credentials`
  throw new ProblemError('field_invalid', detail, { field })
}

function completed(config: ReceiverConfig, before: ReceiverConfig): ReceiverConfig {
  if (placeOf(config) !== placeOf(before)) return config
  const kept = Object.entries(partOf(before)).filter(([name]) => secretNames.has(name))
  return {
    kind: config.kind,
    [config.kind]: { ...Object.fromEntries(kept), ...partOf(config) },
  } as unknown as ReceiverConfig
}

const secretNames = new Set(['secret', 'password', 'token', 'headers'])

/** What stands under the kind's own name. */
function partOf(config: ReceiverConfig): Readonly<Record<string, unknown>> {
  return (config as unknown as Record<string, Record<string, unknown>>)[config.kind]!
}

function placeOf(config: ReceiverConfig): string {
  if (config.kind === 'email') return `email ${config.email.host}:${config.email.port}`
  return `${config.kind} ${new URL(String(partOf(config).url)).origin}`
}

export function shownReceiver({ id, name, kind, createdAt, config }: Receiver): ReceiverShown {
  const part = config === undefined ? {} : partOf(config)
  const secrets = Object.keys(part).filter(one => secretNames.has(one))
  return {
    id,
    name,
    kind,
    createdAt,
    target: config === undefined ? '' : targetOf(config),
    secrets,
  }
}

/** The path of Slack's addresses is the secret; a query may be one. */
function targetOf(config: ReceiverConfig): string {
  if (config.kind === 'email') return `${config.email.to.join(', ')} by ${config.email.host}`
  const { origin, pathname, search } = new URL(String(partOf(config).url))
  if (config.kind === 'slack') return `${origin}/…`
  return `${origin}${pathname}${search === '' ? '' : '?…'}`
}

export function receiverUnknown(): ProblemError {
  return new ProblemError('alert_receiver_unknown', 'no receiver has this id')
}
