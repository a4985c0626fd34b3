/**
 * A receiver as a form has it, in texts. Secrets are never shown again: those that it has are kept until
 * somebody says otherwise, or it is reached elsewhere.
 */

import type { ReceiverKind, ReceiverShown } from '../api/alerts.ts'

/** A secret by the name that the service has for it. */
export type SecretName = 'secret' | 'headers' | 'password' | 'token'

/** Who asks an Alertmanager, or a mail server, says so: not at all, by name, or by a token. */
export type Credentials = 'none' | 'basic' | 'bearer'

export interface ReceiverDraft extends Readonly<Record<SecretName, string>> {
  readonly name: string
  readonly kind: ReceiverKind
  /** Of all but e-mail. */
  readonly url: string
  readonly credentials: Credentials
  readonly user: string
  /** Those of `secrets` that it had and that stay. */
  readonly kept: readonly SecretName[]
  /** Of e-mail: the server with its port. */
  readonly host: string
  readonly tls: 'starttls' | 'tls' | 'none'
  readonly from: string
  /** Separated by commas. */
  readonly to: string
}

export function receiverDraft(receiver: ReceiverShown | undefined): ReceiverDraft {
  const {
    url = '',
    user = '',
    host,
    port,
    tls = 'starttls',
    from = '',
    to = [],
  } = receiver?.reach ?? {}
  const kept = (receiver?.secrets ?? []) as readonly SecretName[]
  const isBasic = user !== '' || kept.includes('password')
  return {
    name: receiver?.name ?? '',
    kind: receiver?.kind ?? 'webhook',
    url,
    credentials: kept.includes('token') ? 'bearer' : isBasic ? 'basic' : 'none',
    user,
    kept,
    secret: '',
    headers: '',
    password: '',
    token: '',
    host: host === undefined ? '' : `${host}:${port}`,
    tls,
    from,
    to: to.join(', '),
  }
}

/** Whether a secret stays as it is: the service keeps none for another place. */
export function isKept(draft: ReceiverDraft, first: ReceiverDraft, name: SecretName): boolean {
  return draft.kept.includes(name) && placeOf(draft) === placeOf(first)
}

function placeOf({ kind, url, host, tls }: ReceiverDraft): string {
  if (kind === 'email') return JSON.stringify([kind, serverOf(host, tls)])
  return JSON.stringify([kind, URL.canParse(url) ? new URL(url).origin : url])
}

const usualPorts = { starttls: 587, tls: 465, none: 25 } as const

function serverOf(text: string, tls: ReceiverDraft['tls']): { host: string; port: number } {
  const [, host = text.trim(), port] = /^(.*):(\d+)$/.exec(text.trim()) ?? []
  return { host, port: port === undefined ? usualPorts[tls] : Number(port) }
}

/** Undefined where a line is no `Name: value`. */
export function readHeaders(text: string): Readonly<Record<string, string>> | undefined {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const pairs = lines.map(line => /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/.exec(line))
  if (pairs.some(pair => pair === null)) return undefined
  return Object.fromEntries(pairs.map(pair => [pair![1]!, pair![2]!]))
}

/**
 * How it is reached, as the service takes it under the name of its kind: a secret that is left out stays,
 * an empty one is none.
 */
export function howReached(
  draft: ReceiverDraft,
  first: ReceiverDraft,
): Readonly<Record<string, unknown>> {
  const { kind, url, host, tls, credentials } = draft
  const secret = (name: SecretName) =>
    isKept(draft, first, name)
      ? {}
      : { [name]: name === 'headers' ? readHeaders(draft.headers) : draft[name] }
  const basic = { user: draft.user, ...secret('password') }
  const byCredentials = {
    none: { password: '', token: '' },
    basic: { ...basic, token: '' },
    bearer: { password: '', ...secret('token') },
  }
  switch (kind) {
    case 'webhook':
      return { url, ...secret('secret'), ...secret('headers') }
    case 'slack':
      return { url }
    case 'alertmanager':
      return { url, ...byCredentials[credentials] }
    case 'email': {
      const to = draft.to.split(',').map(one => one.trim())
      return {
        ...serverOf(host, tls),
        tls,
        from: draft.from.trim(),
        to: to.filter(one => one !== ''),
        ...(credentials === 'none' ? { password: '' } : basic),
      }
    }
  }
}
