/**
 * How the service sends events to itself: as any sender does, with an ingestion token and over HTTP,
 * so that nothing on the path of an event knows of it. Used by the demo and by the service's own log.
 */
import type { IncomingMessage } from 'node:http'
import type { RequestOptions } from 'node:https'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { IngestionTokenSummary, IngestionTokens } from '../catalog/ingestion-tokens.ts'

/** Where to send to, and how. */
export interface OwnSender {
  /** The service's own address, as `ownAddress` returns it. */
  readonly url: string
  /** The service's own certificate, in PEM, when it speaks TLS: the only one that is accepted. */
  readonly certificate?: string | undefined
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
  // Without a hint its text is lost; see `IngestionTokens.secret`.
  const isOurs = (token: IngestionTokenSummary) =>
    token.serviceName === serviceName && token.environment === environment && token.hint !== ''
  const found = tokens.list().find(isOurs)
  if (found !== undefined) return tokens.secret(found.id)
  return (await tokens.create({ serviceName, environment })).token
}

/**
 * Sends lines of JSON, each an event. Waits for as long as the service takes nothing (429, 503, no
 * connection). Throws the signal's reason, or OwnEventsRefused.
 */
export async function sendOwnEvents(
  { url, certificate, token, timeField }: OwnSender,
  lines: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const address = `${url}/api/v1/webhook/event/logs?timestamp_field=${encodeURIComponent(timeField)}`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' }
  const body = lines.join('\n')
  for (;;) {
    signal.throwIfAborted()
    const answer = await post(address, { headers, body, certificate, signal })
    if (answer?.status === 200) return
    if (answer !== undefined && answer.status !== 429 && answer.status < 500) {
      throw new OwnEventsRefused(answer.status, answer.text)
    }
    await sleep(answer?.retryAfterMs ?? waitMs, undefined, { signal })
  }
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly retryAfterMs: number | undefined
}

interface OwnPost {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly certificate: string | undefined
  readonly signal: AbortSignal
}

/** Undefined when there was no answer. Throws the signal's reason only. */
async function post(address: string, asked: OwnPost): Promise<Answer | undefined> {
  try {
    const response = await send(address, asked)
    const text = await textOf(response) // Also when nobody reads it: the connection is free again.
    const seconds = Number(response.headers['retry-after'] ?? Number.NaN)
    const retryAfterMs = Number.isFinite(seconds)
      ? Math.min(Math.max(seconds, 0) * 1_000, waitMsMax)
      : undefined
    return { status: response.statusCode ?? 0, text, retryAfterMs }
  } catch {
    asked.signal.throwIfAborted()
    return undefined
  }
}

/** Not `fetch`, which cannot be told which certificate to expect. */
async function send(
  address: string,
  { headers, body, certificate, signal }: OwnPost,
): Promise<IncomingMessage> {
  // Only now: most services send themselves nothing, and their start takes less without it.
  const [http, https] = await Promise.all([import('node:http'), import('node:https')])
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers, signal }
    const request =
      certificate === undefined
        ? http.request(address, options, resolve)
        : https.request(address, { ...options, ...pinned(certificate) }, resolve)
    request.on('error', reject).end(body)
  })
}

/** It is ours, whoever issued it; and that it was issued for another name than 127.0.0.1 is usual. */
function pinned(certificate: string): RequestOptions {
  return { ca: certificate, allowPartialTrustChain: true, checkServerIdentity: () => undefined }
}
