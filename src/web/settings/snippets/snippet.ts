/** What all snippets are made of and from. */

/** What is filled in. */
export interface SnippetFacts {
  /** Where senders reach the service, without a path, such as `http://127.0.0.1:7007`. */
  readonly origin: string
  /** The secret. */
  readonly token: string
  /** The names of the token as settings have them: `checkout/prod`. */
  readonly stream: string
  /** Whether it is a token for pages in a browser. */
  readonly isForBrowsers?: boolean
  /** The origin of such a page. */
  readonly page?: string
}

export interface Snippet {
  /** Stable: it stands in the address. */
  readonly id: string
  readonly name: string
  /** What it does, and what it needs: sentences. */
  readonly intro: string
  /** Texts in their order, by which file each is, or where it is pasted. */
  readonly blocks: Readonly<Record<string, string>>
}

export const onePath = '/api/v1/webhook/event/log'
export const batchPath = '/api/v1/webhook/event/logs'
/** Senders of OTLP add `/v1/logs`. */
export const otlpPath = '/api/v1/otlp'

/** The address as senders want it that are given its parts. */
export function partsOf({ origin }: SnippetFacts) {
  const { protocol, hostname, port } = new URL(origin)
  const isSecure = protocol === 'https:'
  // An IPv6 address stands in brackets in an address only.
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return { host, port: Number(port) || (isSecure ? 443 : 80), isSecure }
}
