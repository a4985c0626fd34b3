/** A listener on stand-ins for all that is not its own: `ingest` takes records, or throws. */
import { BodyMemory } from '../../src/ingest/body-memory.ts'
import { type ListenDependencies, Listener } from '../../src/listen/listener.ts'
import type { Protocol } from '../../src/listen/protocols/protocol.ts'

/** Of a listener without TLS. */
export const noFiles = {
  ...{ tlsCert: undefined, tlsKey: undefined, listenTlsCert: undefined, listenTlsKey: undefined },
}

/** `refused`: reasons with numbers of messages, such as `unreadable 1`; `said`: fields of what was logged. */
export function listenerOnStandIns(
  protocol: Protocol,
  transport: 'tcp' | 'udp',
  ingest: Pick<ListenDependencies['ingest'], 'records' | 'batch'>,
  memory = new BodyMemory(1024 * 1024),
) {
  const refused: string[] = []
  const said: { readonly err?: unknown; readonly reason: string }[] = []
  const token = { id: '1', stream: { service: 'shop', environment: 'test' } }
  const listeners = {
    noteRecords: () => {},
    noteConnections: () => {},
    watchKernelDrops: () => {},
    noteRefused: (_: string, reason: string, count: number) => refused.push(`${reason} ${count}`),
  }
  const setting = { transport, host: '127.0.0.1', port: 0, tokenName: 'shop/test' }
  const listener = new Listener(protocol, setting, {
    tokens: { named: () => token, isLive: () => true },
    ingest: { ...ingest, checkRoom: () => {} },
    config: { batchBytesMax: 1024 },
    metrics: { noteUnreadableTimes: () => {}, listeners },
    logger: { warn: fields => said.push(fields as (typeof said)[number]) },
    now: Date.now,
    memory,
  })
  return { listener, refused, said }
}

/** Once it listens. */
export const portOfListener = ({ name }: Listener) => Number(/\d+$/.exec(name)![0])
