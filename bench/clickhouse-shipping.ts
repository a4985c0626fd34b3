/**
 * How fast a journal that has waited goes to ClickHouse: `node bench/clickhouse-shipping.ts [RECORDS]`.
 * The engine is the library of `test/clickhouse/install.sh`, on the same cores; questions follow, and how
 * long they take.
 */
import { BatchWriter } from '../src/journal/batch-writer.ts'
import { parseSingle } from '../src/language/grammar.ts'
import { readCpuSeconds } from './child.ts'
import { makeClickHouseDirectory } from './clickhouse-directory.ts'
import { makeRecords } from './records.ts'
import { streams } from './streams.ts'

const count = Number(process.argv[2] ?? 1_000_000)
const { engine, open, remove } = await makeClickHouseDirectory()
let store = await open()
await engine.kill()
const known = streams.map(({ service, environment }) => ({ service, environment }))
const writer = new BatchWriter()
for (const { stream, timestamp, level, message, json } of makeRecords({ seed: 7, count })) {
  const event = JSON.parse(json) as Record<string, unknown>
  const { trace_id, host, duration_ms, http, logger, thread, version } = event as never
  const { status, method } = http as { status: number; method: string }
  const attributes = [
    ...['trace_id', trace_id, 'host', host, 'duration_ms', String(duration_ms)],
    ...['http.status', String(status), 'http.method', method, 'logger', logger],
    ...['thread', thread, 'version', version],
  ]
  writer.add({ timestamp, level, message, attributes }, known[stream]!)
  if (writer.approximateBytes > 256 * 1024) await store.appendBatches([writer.encode()])
}
if (writer.recordCount > 0) await store.appendBatches([writer.encode()])
await store.close()

await engine.start()
store = await open()
const startedAt = performance.now()
const [usedBefore, engineBefore] = [process.cpuUsage(), readCpuSeconds(engine.pid)]
await store.settle()
const { user, system } = process.cpuUsage(usedBefore)
const engineUsed = readCpuSeconds(engine.pid) - engineBefore
const seconds = (performance.now() - startedAt) / 1_000
const { records, bytes, inserts } = store.stats().shipping!
const rate = Math.round(records / seconds)
console.log(`${records} records, ${bytes} bytes, ${inserts} inserts in ${seconds.toFixed(1)} s`)
console.log(`${rate} records/s`)
const [ours, theirs] = [(user + system) / records, (engineUsed * 1e6) / records]
console.log(`processor a record: ${ours.toFixed(1)} µs here, ${theirs.toFixed(1)} µs the engine`)
const disk = await engine.ask(
  "SELECT sum(bytes_on_disk) / sum(rows) FROM system.parts WHERE active AND table = 'otel_logs'",
)
console.log(`${Number(disk).toFixed(0)} bytes of disk a record`)
for (const query of [
  'logs',
  'logs{service.name="checkout", log_level="error"}',
  'logs |= "timeout"',
  'count by (log_level) (logs)',
  'logs{http.status="304"}',
  'logs | json | http.status="304"',
]) {
  const { selector, by = [] } = parseSingle(query) as never
  const asked = { selector, by, startTime: -8.64e15, endTime: 8.64e15, limit: 50 }
  const begun = performance.now()
  const answer = await store.select(
    { ...asked, order: 'desc', cursor: undefined },
    AbortSignal.timeout(60_000),
  )
  console.log(`${(performance.now() - begun).toFixed(0)} ms ${answer.count} ${query}`)
}
console.log(`${Math.round(process.memoryUsage.rss() / 2 ** 20)} MiB of this process`)
await store.close()
await remove()
