/**
 * `npm run slow-connections -- --count 2000`: what a good client waits while so many slow connections
 * are held, against what it waits without them.
 */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { adminKey, startService } from '../service/service-process.ts'
import { goodClient, percentile } from './good-client.ts'
import { holdSlowConnections, slowKinds } from './slow-connections.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '20' },
  },
})
const count = Number(values.count)
const forMs = Number(values.seconds) * 1_000
const dataDir = fs.mkdtempSync(join(tmpdir(), 'logstrata-slow-'))
const service = await startService(dataDir)
const token = await service.makeToken()
const body = Array.from({ length: 1_000 }, (_, i) =>
  JSON.stringify({ i, message: `${i} ${'x'.repeat(5_000)}` }),
).join('\n')
await service.call('POST', '/api/v1/webhook/event/logs', { token, body })

await goodClient(service, token, 3_000) // Warm.
const without = await goodClient(service, token, forMs)
const slow = holdSlowConnections({ url: service.url, token, key: adminKey }, count)
const beginning = await goodClient(service, token, 3_000) // While all of them connect.
const during = await goodClient(service, token, forMs)
const open = slow.openCount()
await slow.allClosedOnce
slow.end()

const row = (times: readonly number[]) => ({
  requests: times.length,
  p50Ms: Number(percentile(times, 0.5).toFixed(2)),
  p99Ms: Number(percentile(times, 0.99).toFixed(2)),
})
console.table({ without: row(without), beginning: row(beginning), during: row(during) })
const ratio = percentile(during, 0.99) / percentile(without, 0.99)
console.log(`${open} slow connections at the end; p99 is ${ratio.toFixed(2)} times as long`)
for (const kind of slowKinds) {
  const longest = Math.max(...slow.lifetimes[kind]) / 1_000
  console.log(
    `${kind}: ${slow.lifetimes[kind].length} closed, after ${longest.toFixed(1)} s at most`,
  )
}
await service.end()
fs.rmSync(dataDir, { recursive: true })
