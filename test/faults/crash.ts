/**
 * Kill -9 in the middle of a load, again and again. The senders are outside of the service and note
 * every acknowledged event; after each restart all of them must be there, once, and nothing that was
 * never sent. Some senders repeat what was not answered, under keys: all that they ever sent must be there
 * once.
 *
 * `npm run crash -- CYCLES` runs it for as long as wanted; `crash.test.ts` runs a few.
 */
import { startListening } from '../listen/listening-service.ts'
import { EventsOracle } from './events-oracle.ts'
import {
  RepeatingSender,
  underChunk,
  underCursors,
  underIds,
  underKey,
} from './repeating-sender.ts'

export interface CrashReport {
  readonly cycles: number
  readonly acknowledged: number
  /** Acknowledged and missing, doubled, or never sent: none of these may be. */
  readonly violations: readonly string[]
}

/** Bulk requests carry this many events. */
const eventsPerRequest = 50
/** One sender's requests are so large that they go to disk in parts. */
const largeRequest = { events: 12, more: { load: 'x'.repeat(200_000) } }

/** The token of these is the one that `makeToken` makes. */
const listeners = [['forward', 'tcp', 'checkout/test']] as const

/** `onCycle` hears the number of each finished cycle and of the events acknowledged so far. */
export async function crashLoop(
  dataDir: string,
  cycles: number,
  onCycle: (cycle: number, acknowledged: number) => void = () => {},
): Promise<CrashReport> {
  const oracle = new EventsOracle()
  const repeating = [
    underKey(1),
    underKey(eventsPerRequest),
    underKey(largeRequest.events, largeRequest.more),
    underIds(eventsPerRequest),
    underCursors(eventsPerRequest),
    underChunk(eventsPerRequest),
  ].map(make => new RepeatingSender(oracle, make))
  let token = ''
  for (let cycle = 0; cycle < cycles; cycle++) {
    const service = await startListening(dataDir, listeners, ['--journal-file-bytes', '64KiB'])
    token ||= await service.makeToken()
    const senders = Array.from({ length: 12 }, async (_, sender) => {
      const isLarge = sender === 1
      const count = isLarge ? largeRequest.events : sender % 4 === 0 ? eventsPerRequest : 1
      for (let i = 0; ; i++) {
        const ids = Array.from({ length: count }, (_, n) => `${cycle}-${sender}-${i}-${n}`)
        await oracle.send(service, token, ids, '', isLarge ? largeRequest.more : {})
      }
    })
    const repeaters = repeating.map((sender, i) =>
      sender.sendAll(service, token, `${cycle}-repeated-${i}`),
    )
    const ended = Promise.allSettled([...senders, ...repeaters])
    await new Promise(resolve => setTimeout(resolve, 5 + Math.random() * 495))
    await service.end('SIGKILL')
    await ended
    onCycle(cycle + 1, oracle.acknowledged.size)
  }
  const service = await startListening(dataDir, listeners)
  for (const sender of repeating) await sender.repeat(service, token)
  const violations = await oracle.violations(service)
  await service.end()
  return { cycles, acknowledged: oracle.acknowledged.size, violations }
}
