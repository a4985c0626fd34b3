/** Receivers: who is told of alerts, and how. */
import { type Static, Type } from 'typebox'
import { nameSchema } from '../../catalog/names.ts'
import { ProblemError } from '../../problems.ts'
import type { Timestamp } from '../../record.ts'
import { type Answer, timestamp } from '../../schema/answer.ts'
import { checkBody } from '../../schema/check.ts'
import { idSchema } from '../rule.ts'
import { completed } from './completed.ts'

const lengthMax = 2_048
const text = (description: string) =>
  Type.String({ minLength: 1, maxLength: lengthMax, description })
/** Empty: there is none, also where there was one. */
const credential = Type.Optional(
  Type.String({ maxLength: lengthMax, description: `a text of at most ${lengthMax} characters` }),
)
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
  secret: credential,
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
  user: credential,
  password: credential,
  from: mailAddress,
  to: Type.Array(mailAddress, { minItems: 1, maxItems: 20, description: '1 to 20 addresses' }),
})

const alertmanagerSchema = Type.Object({
  url,
  user: credential,
  password: credential,
  token: credential,
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

/** Its target is empty when it cannot be decrypted. */
export const receiverShownSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    kind: Type.Enum(receiverKinds),
    createdAt: timestamp,
    target: Type.String({ description: 'Where it is, without what may be secret in it.' }),
    reach: Type.Object(
      {
        url: Type.Optional(Type.String()),
        user: Type.Optional(Type.String()),
        host: Type.Optional(Type.String()),
        port: Type.Optional(Type.Integer()),
        tls: Type.Optional(Type.Enum(['starttls', 'tls', 'none'])),
        from: Type.Optional(Type.String()),
        to: Type.Optional(Type.Array(Type.String())),
      },
      {
        description: 'How it is reached, without its secrets; `…` stands for those in an address.',
      },
    ),
    secrets: Type.Array(Type.String(), { description: 'Which secrets it has.' }),
  },
  { $id: 'AlertReceiver', description: 'A receiver of alerts, without its secrets.' },
)

export type ReceiverShown = Answer<typeof receiverShownSchema>

/** How a test of a receiver ended. */
export const testOutcomeSchema = Type.Object({
  ok: Type.Boolean({ description: 'Whether it was taken.' }),
  error: Type.Optional(Type.String({ description: 'Why it was not.' })),
})

export type TestOutcome = Answer<typeof testOutcomeSchema>

/**
 * What a request describes, completed by what is known of its receiver.
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
  return { id, name: name.trim(), config: completed(read, before) }
}

function checkUrl(text: string, field: string): void {
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  const isWeb = parsed?.protocol === 'http:' || parsed?.protocol === 'https:'
  if (parsed !== undefined && isWeb && parsed.username === '' && parsed.password === '') return
  const detail = `"${field}" must be an address that begins with http:// or https://, without credentials`
  throw new ProblemError('field_invalid', detail, { field })
}
