/**
 * A sender that repeats each request until it is answered, across restarts, and now and then one that was
 * answered: under a key, so that each of its events must be there once.
 */
import { messageOf, pack } from '../listen/forward-messages.ts'
import { connect, portOf } from '../listen/listening-service.ts'
import type { ServiceProcess } from '../service/service-process.ts'
import { type EventsOracle, posted, type SentRequest } from './events-oracle.ts'

/** How often a request that was answered is sent again. */
const againShare = 0.1

/** Makes the requests of one kind: `name` is another one for each. */
export type MakeRequest = (name: string) => SentRequest

export class RepeatingSender {
  readonly #oracle: EventsOracle
  readonly #make: MakeRequest
  #unanswered: SentRequest | undefined
  #count = 0

  constructor(oracle: EventsOracle, make: MakeRequest) {
    this.#oracle = oracle
    this.#make = make
  }

  /** Sends until the service is gone, and throws then. */
  async sendAll(service: ServiceProcess, token: string, name: string): Promise<never> {
    for (;;) {
      await this.repeat(service, token)
      this.#unanswered = this.#make(`${name}-${this.#count++}`)
    }
  }

  /** Repeats what was not answered until it is. */
  async repeat(service: ServiceProcess, token: string): Promise<void> {
    while (this.#unanswered !== undefined) {
      const isAnswered = await this.#oracle.sendRequest(service, token, this.#unanswered)
      if (isAnswered && Math.random() >= againShare) this.#unanswered = undefined
    }
  }
}

const eventsPath = '/api/v1/webhook/event/logs'

/** A request of so many events under an `Idempotency-Key`. */
export function underKey(eventCount: number, more: Readonly<Record<string, string>> = {}) {
  return (name: string): SentRequest => {
    const ids = idsOf(name, eventCount)
    const body = ids.map(id => JSON.stringify({ message: id, id, ...more })).join('\n')
    return { ids, deliver: posted(eventsPath, body, { 'idempotency-key': name }) }
  }
}

/** So many documents, each with an `_id`. */
export function underIds(eventCount: number) {
  return (name: string): SentRequest => {
    const ids = idsOf(name, eventCount)
    const lines = ids.map(id => {
      const action = JSON.stringify({ create: { _index: 'logs', _id: id } })
      return `${action}\n${JSON.stringify({ message: id, id })}\n`
    })
    return { ids, deliver: posted('/elastic/_bulk', lines.join('')) }
  }
}

/** So many entries of systemd's journal, each with a cursor. */
export function underCursors(eventCount: number) {
  return (name: string): SentRequest => {
    const ids = idsOf(name, eventCount)
    const body = ids.map(id => `__CURSOR=${id}\nMESSAGE=${id}\nid=${id}\n\n`).join('')
    return { ids, deliver: posted('/upload', body, { 'content-type': journalType }) }
  }
}

const journalType = 'application/vnd.fdo.journal'

/** A chunk of the forward protocol of so many entries, each in a connection of its own. */
export function underChunk(eventCount: number) {
  return (name: string): SentRequest => {
    const ids = idsOf(name, eventCount)
    const time = pack(1_795_212_855)
    const entries = ids.map(id => ({ time, record: { message: id, id } }))
    const chunk = messageOf('packed', 'app', entries, { chunk: name })
    return { ids, deliver: service => acknowledgedBy(service, chunk) }
  }
}

/** Whether the service acknowledges a chunk; throws when it is gone before. */
async function acknowledgedBy(service: ServiceProcess, chunk: Buffer): Promise<boolean> {
  const socket = connect(portOf(service, 'forward', 'tcp'))
  try {
    return await new Promise((resolve, reject) => {
      socket.on('data', () => resolve(true))
      socket.on('end', () => reject(new Error('the service is gone')))
      socket.on('close', () => reject(new Error('the service is gone')))
      socket.write(chunk)
    })
  } finally {
    socket.destroy()
  }
}

function idsOf(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `${name}-${n}`)
}
