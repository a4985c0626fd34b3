/**
 * How the service sends events to itself: as any sender does, with an ingestion token and over HTTP,
 * so that nothing on the path of an event knows of it. Used by the demo and by the service's own log.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { IngestionTokens } from '../catalog/ingestion-tokens.ts'

/** Where to send to, and how. */
export interface OwnSender {
  /** The service's own address, as `ownAddress` gives it. */
  readonly url: string
  /** An ingestion token's text. */
  readonly token: string
  /** The field of each event that holds its time. */
  readonly timeField: string
}

/** What an own token is made for; an administrator sees both in the list of tokens. */
export interface OwnStream {
  readonly serviceName: string
  readonly environment: string
}

/** The events of a sender are refused for good: its token was deleted, most likely. */
export class OwnEventsRefused extends Error {
  readonly status: number

  constructor(status: number, detail: string) {
    super(`own events were refused: ${status} ${detail}`)
    this.name = 'OwnEventsRefused'
    this.status = status
  }
}

/** Waits between attempts when the answer does not say how long, ms. */
const waitMs = 1_000
/** No `Retry-After` is waited for longer, ms. */
const waitMsMax = 30_000

/** An address that reaches the service from this machine, whatever it listens on. */
export function ownAddress(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}

/** The text of the token of this stream: the oldest that there is, or a new one. */
export async function ownToken(
  tokens: Pick<IngestionTokens, 'list' | 'create' | 'secret'>,
  { serviceName, environment }: OwnStream,
): Promise<string> {
  const found = tokens.list().find(
    token =>
      token.serviceName === serviceName && token.environment === environment && token.hint !== '', // Otherwise its text is lost; see `IngestionTokens.secret`.
  )
  if (found !== undefined) return tokens.secret(found.id)
  return (await tokens.create({ serviceName, environment })).token
}

/**
 * Sends lines of JSON, each an event. Waits for as long as the service takes nothing (429, 503, no
 * connection). Throws the signal's reason, or OwnEventsRefused.
 */
export async function sendOwnEvents(
  { url, token, timeField }: OwnSender,
  lines: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const address = `${url}/api/v1/webhook/event/logs?timestamp_field=${encodeURIComponent(timeField)}`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' }
  const body = lines.join('\n')
  for (;;) {
    signal.throwIfAborted()
    const answer = await post(address, { method: 'POST', headers, body, signal })
    if (answer?.ok) return
    if (answer !== undefined && answer.status !== 429 && answer.status < 500) {
      throw new OwnEventsRefused(answer.status, answer.text)
    }
    await sleep(answer?.retryAfterMs ?? waitMs, undefined, { signal })
  }
}

interface Answer {
  readonly ok: boolean
  readonly status: number
  readonly text: string
  readonly retryAfterMs: number | undefined
}

/** Undefined when there was no answer. Throws the signal's reason only. */
async function post(address: string, request: RequestInit): Promise<Answer | undefined> {
  try {
    const response = await fetch(address, request)
    const text = await response.text() // Also when nobody reads it: the connection is free again.
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    const retryAfterMs = Number.isFinite(seconds)
      ? Math.min(Math.max(seconds, 0) * 1_000, waitMsMax)
      : undefined
    return { ok: response.ok, status: response.status, text, retryAfterMs }
  } catch {
    request.signal?.throwIfAborted()
    return undefined
  }
}
