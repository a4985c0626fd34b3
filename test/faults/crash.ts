/**
 * Kill -9 in the middle of a load, again and again. The senders are outside of the service and note
 * every acknowledged event; after each restart all of them must be there, once, and nothing that was
 * never sent.
 *
 * `npm run crash -- CYCLES` runs it for as long as wanted; `crash.test.ts` runs a few.
 */
import { startService } from '../service/service-process.ts'

export interface CrashReport {
  readonly cycles: number
  readonly acknowledged: number
  /** Sent, not acknowledged, and there all the same: allowed. */
  readonly unacknowledgedFound: number
  /** Acknowledged and missing, doubled, or never sent: none of these may be. */
  readonly violations: readonly string[]
}

/** Bulk requests carry this many events. */
const eventsPerRequest = 50

/** `onCycle` hears the number of each finished cycle and of the events acknowledged so far. */
export async function crashLoop(
  dataDir: string,
  cycles: number,
  onCycle: (cycle: number, acknowledged: number) => void = () => {},
): Promise<CrashReport> {
  const acknowledged = new Set<string>()
  const sent = new Set<string>()
  let token = ''
  for (let cycle = 0; cycle < cycles; cycle++) {
    const service = await startService(dataDir, { flags: ['--journal-file-bytes', '64KiB'] })
    token ||= await service.makeToken()
    const post = async (path: string, ids: readonly string[], body: string) => {
      for (const id of ids) sent.add(id)
      const headers = { 'content-type': 'application/json' }
      const answer = await service.call('POST', path, { token, body, headers })
      if (answer.status === 200) for (const id of ids) acknowledged.add(id)
    }
    const senders = Array.from({ length: 12 }, async (_, sender) => {
      for (let i = 0; ; i++) {
        if (sender % 4 === 0) {
          const ids = Array.from(
            { length: eventsPerRequest },
            (_, n) => `${cycle}-${sender}-${i}-${n}`,
          )
          const body = ids.map(id => JSON.stringify({ message: id, id })).join('\n')
          await post('/api/v1/webhook/event/logs', ids, body)
        } else {
          const id = `${cycle}-${sender}-${i}`
          await post('/api/v1/webhook/event/log', [id], JSON.stringify({ message: id, id }))
        }
      }
    })
    const ended = Promise.allSettled(senders)
    await new Promise(resolve => setTimeout(resolve, 5 + Math.random() * 495))
    await service.end('SIGKILL')
    await ended
    onCycle(cycle + 1, acknowledged.size)
  }
  return check(dataDir, cycles, sent, acknowledged)
}

async function check(
  dataDir: string,
  cycles: number,
  sent: ReadonlySet<string>,
  acknowledged: ReadonlySet<string>,
): Promise<CrashReport> {
  const service = await startService(dataDir)
  const found = new Map<string, number>()
  const violations: string[] = []
  let cursor: string | undefined
  let count = 0
  do {
    const { body } = await service.query('logs', { limit: 1000, ...(cursor && { cursor }) })
    for (const { message, attributes } of body.logs) {
      found.set(message, (found.get(message) ?? 0) + 1)
      if (attributes.id !== message) violations.push(`${message} differs from what was sent`)
    }
    cursor = body.nextCursor
    count = body.count
  } while (cursor !== undefined)
  await service.end()
  if (count !== found.size) violations.push(`count is ${count}, pages gave ${found.size}`)
  for (const id of acknowledged) if (!found.has(id)) violations.push(`${id} is lost`)
  for (const [id, times] of found) {
    if (times > 1) violations.push(`${id} is there ${times} times`)
    if (!sent.has(id)) violations.push(`${id} was never sent`)
  }
  const unacknowledgedFound = found.size - acknowledged.size
  return { cycles, acknowledged: acknowledged.size, unacknowledgedFound, violations }
}
