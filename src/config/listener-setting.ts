/**
 * Where a listener for a protocol without credentials of its own takes connections or datagrams, and whose
 * records they become: `tcp://0.0.0.0:5514=checkout/prod`.
 */
import { type Kind, listOf } from './setting-kinds.ts'

export type Transport = 'tcp' | 'tls' | 'udp'

export interface ListenerSetting {
  readonly transport: Transport
  readonly host: string
  /** 0: a free one. */
  readonly port: number
  /** An ingestion token's id, or its names: `serviceName/environment`. */
  readonly tokenName: string
}

const form = /^(tcp|tls|udp):\/\/(\[[\da-fA-F:.]+\]|[^\s:/[\]=,]+):(\d{1,5})=(.+)$/

/** Listeners separated by commas, by any of these transports. */
export function listeners(...transports: readonly Transport[]): Kind<readonly ListenerSetting[]> {
  return listOf({
    placeholder: `${transports[0]}://HOST:PORT=TOKEN,…`,
    expected: `addresses such as ${transports[0]}://0.0.0.0:5514=checkout/prod (${transports.join(', ')}): \
behind = an ingestion token's service/environment, or its id; a comma in it as %2C`,
    read: text => readListener(text, transports),
    print: printListener,
  })
}

function readListener(text: string, transports: readonly Transport[]): ListenerSetting | undefined {
  const [, transport, host, port, name] = form.exec(text) ?? []
  const known = transports.find(one => one === transport)
  const tokenName = name === undefined ? undefined : decoded(name)
  if (known === undefined || tokenName === undefined || Number(port) > 65_535) return undefined
  return { transport: known, host: host!.replace(/^\[|\]$/g, ''), port: Number(port), tokenName }
}

/** Undefined when a percent sign stands before something else than a byte of UTF-8. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Where it listens, without whose records they are. */
export function listenerAddress({ transport, host, port }: Omit<ListenerSetting, 'tokenName'>) {
  return `${transport}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function printListener(listener: ListenerSetting): string {
  const name = listener.tokenName.replace(/[%,]/g, encodeURIComponent)
  return `${listenerAddress(listener)}=${name}`
}
