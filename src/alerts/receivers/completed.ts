/**
 * What is shown of a receiver, and what a request that replaces one leaves as it is: its secrets, and an
 * address that is sent as it was shown. Only when it is reached at the same place: nobody can send them
 * elsewhere who does not know them.
 */
import type { Receiver, ReceiverConfig, ReceiverKind, ReceiverShown } from './receiver.ts'

const secretNames = new Set(['secret', 'password', 'token', 'headers'])

/** @param before As it was until now; undefined for a new one. */
export function completed(
  config: ReceiverConfig,
  before: ReceiverConfig | undefined,
): ReceiverConfig {
  const { kind } = config
  const part = { ...partOf(config) }
  const known = before !== undefined && placeOf(config) === placeOf(before) ? partOf(before) : {}
  if (known.url !== undefined && part.url === shownUrl(kind, known.url)) part.url = known.url
  const kept = Object.entries(known).filter(([name]) => secretNames.has(name))
  const all = Object.entries({ ...Object.fromEntries(kept), ...part })
  return {
    kind,
    [kind]: Object.fromEntries(all.filter(([, value]) => !isNone(value))),
  } as unknown as ReceiverConfig
}

/** An empty text, or no headers: so a secret is taken away. */
function isNone(value: unknown): boolean {
  return value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)
}

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
  const names = Object.keys(part)
  const plain = Object.entries(part).filter(([one]) => !secretNames.has(one))
  const reach: ReceiverShown['reach'] = {
    ...Object.fromEntries(plain),
    ...(part.url !== undefined && { url: shownUrl(kind, part.url) }),
  }
  const mail = `${reach.to?.join(', ')} by ${reach.host}`
  const target = config?.kind === 'email' ? mail : (reach.url ?? '')
  const secrets = names.filter(one => secretNames.has(one))
  return { id, name, kind, createdAt, target, reach, secrets }
}

/** The path of Slack's addresses is the secret; a query may be one. */
function shownUrl(kind: ReceiverKind, url: unknown): string {
  const { origin, pathname, search } = new URL(String(url))
  if (kind === 'slack') return `${origin}/…`
  return `${origin}${pathname}${search === '' ? '' : '?…'}`
}
