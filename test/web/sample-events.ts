/** Events of a few services over the last hour, the same for the same time: what the browser tests look at. */

import { makeRandom } from '../../bench/random.ts'

interface SampleBatch {
  readonly serviceName: string
  readonly environment: string
  /** Each with its `time`, ms since 1970. */
  readonly events: readonly object[]
}

const services = [
  { serviceName: 'checkout', environment: 'prod', share: 0.5 },
  { serviceName: 'payments', environment: 'prod', share: 0.3 },
  { serviceName: 'search', environment: 'staging', share: 0.2 },
] as const

const eventCount = 3_000
const spanMs = 3_600_000

export function sampleEvents(now: number): readonly SampleBatch[] {
  return services.map(({ serviceName, environment, share }, at) => {
    const random = makeRandom(at + 1).unit
    const count = eventCount * share
    const events = Array.from({ length: count }, (_, index) => {
      const time = Math.round(now - spanMs + (spanMs * (index + random())) / count)
      return { time, host: `node-${1 + Math.floor(random() * 12)}`, ...happening(random) }
    })
    return { serviceName, environment, events }
  })
}

function happening(random: () => number): object {
  const order = 80_000 + Math.floor(random() * 9_999)
  const trace_id = Math.floor(random() * 2 ** 48)
    .toString(16)
    .padStart(12, '0')
  const dice = random()
  if (dice < 0.04) {
    const message = `upstream timeout after ${1_000 + Math.floor(random() * 4_000)}ms`
    return { level: 'error', message, order, trace_id, error: { code: 'ETIMEDOUT' } }
  }
  if (dice < 0.12) {
    return { level: 'warn', message: 'retrying payment', order, attempt: 2, trace_id }
  }
  if (dice < 0.2) {
    return { level: 'debug', message: 'cache miss for cart', order }
  }
  const duration_ms = Math.floor(random() ** 3 * 800)
  return { level: 'info', message: `order ${order} placed`, order, duration_ms, trace_id }
}
