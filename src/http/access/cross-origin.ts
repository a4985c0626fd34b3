/**
 * Which pages of other origins may call us from a browser: those of `--cors-origins`, to send events with an
 * ingestion token, to ask as an assistant with an API key (`/mcp`), and for nothing else. An answer that
 * does not name the page's origin is kept from the page by the browser, and a request with a credential is
 * not even sent: it asks first (OPTIONS).
 *
 * Source: the Fetch standard, "CORS protocol". Cookies are never allowed: a token is the only credential.
 */

import type { Reply } from '../reply/reply.ts'

type Headers = NonNullable<Reply['headers']>

/** Seconds for which a browser need not ask again; Chrome keeps no more. */
const maxAgeSeconds = 7_200

/** What a sender may set beyond what every page may. */
const allowedHeaders = [
  ...['Authorization', 'Content-Type', 'Content-Encoding', 'Idempotency-Key'],
  ...['DD-API-KEY', 'X-API-Key', 'X-Splunk-Request-Channel', 'X-Scope-OrgID'],
  ...['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'],
].join(', ')

/** What a page may read of an answer beyond status and body. */
const exposedHeaders = 'Retry-After, Warning'

const none: Headers = []

export class CrossOrigin {
  readonly #origins: ReadonlySet<string>
  readonly #isAny: boolean

  /** `origins`: such as `https://shop.example`, or `*` for any; undefined: none. */
  constructor(origins: readonly string[] | undefined) {
    this.#origins = new Set(origins)
    this.#isAny = this.#origins.has('*')
  }

  /** Whether pages of `origin` (the header; empty when absent) may send. */
  allows(origin: string): boolean {
    return origin !== '' && (this.#isAny || this.#origins.has(origin))
  }

  /** For the answer to a request that a page of `origin` (the header; empty when absent) sent. */
  answerHeaders(origin: string): Headers {
    if (origin === '' || this.#origins.size === 0) return none
    if (!this.allows(origin)) return [vary]
    return [
      ['Access-Control-Allow-Origin', origin],
      ['Access-Control-Expose-Headers', exposedHeaders],
      vary,
    ]
  }

  /** For the answer to OPTIONS, by which a browser asks whether a page of `origin` may send. */
  preflightHeaders(origin: string): Headers {
    const headers = this.answerHeaders(origin)
    if (headers.length <= 1) return headers
    return [
      ...headers,
      ['Access-Control-Allow-Methods', 'POST'],
      ['Access-Control-Allow-Headers', allowedHeaders],
      ['Access-Control-Max-Age', String(maxAgeSeconds)],
    ]
  }
}

/** What is kept of one origin's answer is not for another's. */
const vary = ['Vary', 'Origin'] as const
