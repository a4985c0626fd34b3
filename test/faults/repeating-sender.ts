/**
 * A sender that repeats each request until it is answered, across restarts, and now and then one that was
 * answered: under a key, so that each of its events must be there once.
 */
import type { ServiceProcess } from '../service/service-process.ts'
import type { EventsOracle, SentRequest } from './events-oracle.ts'

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
    return { ids, path: eventsPath, body, headers: { 'idempotency-key': name } }
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
    return { ids, path: '/elastic/_bulk', body: lines.join('') }
  }
}

function idsOf(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `${name}-${n}`)
}
