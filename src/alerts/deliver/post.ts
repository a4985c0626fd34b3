/**
 * One request to a receiver: within a time, to an address that may be reached, without following
 * redirects.
 */
import http from 'node:http'
import https from 'node:https'
import type { Addresses } from './addresses.ts'
import { DeliveryFailed } from './delivery-failed.ts'

export interface Posted {
  readonly url: string
  /** POST when absent. */
  readonly method?: 'GET' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** How requests are made. */
export interface Wire {
  readonly addresses: Addresses
  /** How long a receiver may take to answer, ms. */
  readonly timeoutMs: number
  /** Ends with the service. */
  readonly signal: AbortSignal
}

/** Bytes of an answer that are read: silences of an Alertmanager are a list; all else says little. */
const answerBytesMax = 4 * 1024 * 1024
/** Characters of an answer that are told on. */
const saidLengthMax = 200

/** What is wrong with the request itself: it will not get better. */
const finalStatuses = new Set([400, 405, 410, 413, 415, 422])

/**
 * The body of the answer. Throws DeliveryFailed for any status but 2xx, or what the connection throws.
 */
export async function post(
  posted: Posted,
  { addresses, timeoutMs, signal }: Wire,
): Promise<string> {
  const url = new URL(posted.url)
  addresses.checkHost(url.hostname)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const { request } = url.protocol === 'https:' ? https : http
  const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const { method = 'POST', body } = posted
  const sent = body === undefined ? {} : { 'content-type': 'application/json' }
  const headers = { 'user-agent': 'logstrata', ...sent, ...posted.headers }
  // A connection of its own: one that is kept may have been made to an address that is refused now.
  const options = { method, headers, signal: ends, agent: false, lookup: addresses.lookup }
  request(url, options, answer => {
    readBody(answer).then(text => {
      const { statusCode: status = 0 } = answer
      if (status >= 200 && status < 300) resolve(text)
      else reject(answered(status, text))
    }, reject)
  })
    .on('error', error => {
      const isLate = ends.aborted && !signal.aborted
      reject(isLate ? new DeliveryFailed(`no answer within ${timeoutMs} ms`) : error)
    })
    .end(body)
  return await promise
}

async function readBody(answer: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > answerBytesMax) {
      answer.destroy()
      throw new DeliveryFailed('the answer is too long')
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function answered(status: number, text: string): DeliveryFailed {
  const isRedirect = status >= 300 && status < 400
  const said = isRedirect ? 'redirects are not followed' : text.trim().slice(0, saidLengthMax)
  const isFinal = finalStatuses.has(status)
  return new DeliveryFailed(`answered ${status}${said === '' ? '' : `: ${said}`}`, { isFinal })
}
