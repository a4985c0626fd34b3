/** Keeps what was sent and acknowledged outside of the service, and compares it with what is found. */
import { setTimeout as pause } from 'node:timers/promises'
import type { ServiceProcess } from '../service/service-process.ts'

/** A request with the events of these ids. */
export interface SentRequest {
  readonly ids: readonly string[]
  /** Sends it. Returns whether it was acknowledged; throws when the service is gone. */
  deliver(service: ServiceProcess, token: string): Promise<boolean>
}

/** A request by HTTP: any status of 2xx acknowledges it. */
export function posted(path: string, body: string, headers: Record<string, string> = {}) {
  return async (service: ServiceProcess, token: string): Promise<boolean> => {
    const { status } = await service.call('POST', path, { token, body, headers })
    return status >= 200 && status < 300
  }
}

export class EventsOracle {
  readonly acknowledged = new Set<string>()
  readonly sent = new Set<string>()

  /** Sends events under these ids in one request, with `more` fields. Throws when the service is gone. */
  async send(
    service: ServiceProcess,
    token: string,
    ids: readonly string[],
    query = '',
    more: Readonly<Record<string, string>> = {},
  ) {
    const body = ids.map(id => JSON.stringify({ message: id, id, ...more })).join('\n')
    const path = `/api/v1/webhook/event/logs${query}`
    await this.sendRequest(service, token, { ids, deliver: posted(path, body) })
  }

  /** Sends a request, perhaps once more. Returns whether it was acknowledged; throws as `send` does. */
  async sendRequest(
    service: ServiceProcess,
    token: string,
    { ids, deliver }: SentRequest,
  ): Promise<boolean> {
    for (const id of ids) this.sent.add(id)
    const isAcknowledged = await deliver(service, token)
    if (isAcknowledged) for (const id of ids) this.acknowledged.add(id)
    return isAcknowledged
  }

  /** Everything that is wrong with what the service finds: lost, doubled, changed or never sent. */
  async violations(service: ServiceProcess): Promise<string[]> {
    const found = new Map<string, number>()
    const violations: string[] = []
    let cursor: string | undefined
    let count = 0
    do {
      const { status, body } = await service.query('logs', {
        limit: 1000,
        ...(cursor && { cursor }),
      })
      if (status !== 200) return [`a query was answered ${status}: ${JSON.stringify(body)}`]
      for (const { message, attributes } of body.logs) {
        found.set(message, (found.get(message) ?? 0) + 1)
        if (attributes.id !== message) violations.push(`${message} differs from what was sent`)
      }
      cursor = body.nextCursor
      count = body.count
    } while (cursor !== undefined)
    if (count !== found.size) violations.push(`count is ${count}, pages gave ${found.size}`)
    for (const id of this.acknowledged) if (!found.has(id)) violations.push(`${id} is lost`)
    for (const [id, times] of found) {
      if (times > 1) violations.push(`${id} is there ${times} times`)
      if (!this.sent.has(id)) violations.push(`${id} was never sent`)
    }
    return violations
  }
}

/** Between two looks at a metric: to ask without end takes the processor from what is waited for. */
const pollMs = 50

/** A value of /metrics. */
export async function metric(service: ServiceProcess, name: string): Promise<number> {
  const { body } = await service.call('GET', '/metrics', { token: null })
  const match = new RegExp(`^logstrata_${name} (\\S+)$`, 'm').exec(body)
  if (match === null) throw new Error(`there is no metric ${name}`)
  return Number(match[1])
}

/** Waits until a value of /metrics is as wanted. */
export async function metricBecomes(
  service: ServiceProcess,
  name: string,
  isWanted: (value: number) => boolean,
): Promise<void> {
  const giveUpAt = Date.now() + 30_000
  while (!isWanted(await metric(service, name))) {
    if (Date.now() > giveUpAt) throw new Error(`${name} stayed ${await metric(service, name)}`)
    await pause(pollMs)
  }
}
