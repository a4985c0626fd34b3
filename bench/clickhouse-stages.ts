/**
 * What questions with stages cost on ClickHouse: `node bench/clickhouse-stages.ts [RECORDS]`. Lines are JSON,
 * and one of five logfmt. Of each question, asked three times: the median of the processor's time, here and
 * of the engine (the library of `test/clickhouse/install.sh`), and how many records were fetched.
 */
import { BatchWriter } from '../src/journal/batch-writer.ts'
import { parseSingle } from '../src/language/grammar.ts'
import { readCpuSeconds } from './child.ts'
import { makeClickHouseDirectory } from './clickhouse-directory.ts'
import { makeRecords } from './records.ts'
import { streams } from './streams.ts'
import { median } from './table.ts'

const count = Number(process.argv[2] ?? 200_000)
const rounds = 3
const questions = [
  'logs | log_level="error" | host=~"web.*"',
  'logs | json | status >= 500',
  'logs | json | http_code="304"',
  'count by (status) (logs | json)',
  'count by (method) (logs | json | __error__="" | duration > 100ms)',
  'count by (method) (logs | logfmt | status >= 500)',
  'count by (method) (logs | regexp "\\"method\\":\\"(?P<method>[A-Z]+)\\"")',
  'count by (first) (logs | pattern "<_>method=<first> <_>")',
  'logs | json | distinct method',
  'count by (made) (logs | json | label_format made="{{.method}} {{.status}}" | keep made)',
]

const { engine, open, remove } = await makeClickHouseDirectory()
let store = await open()
const known = streams.map(({ service, environment }) => ({ service, environment }))
const writer = new BatchWriter()
let sequence = 0
for (const { stream, timestamp, level, message, json } of makeRecords({ seed: 7, count })) {
  const { host, duration_ms, http } = JSON.parse(json)
  const values = { msg: message, method: http.method, status: http.status }
  const duration = `${duration_ms}ms`
  const isLogfmt = sequence++ % 5 === 0
  const line = isLogfmt
    ? `msg="${message.replaceAll('"', "'")}" method=${http.method} status=${http.status} duration=${duration}`
    : JSON.stringify({ ...values, http: { code: http.status }, duration })
  writer.add({ timestamp, level, message: line, attributes: ['host', host] }, known[stream]!)
  if (writer.approximateBytes > 256 * 1024) await store.appendBatches([writer.encode()])
}
if (writer.recordCount > 0) await store.appendBatches([writer.encode()])
await store.close()
store = await open()
await store.settle()

for (const query of questions) {
  const { selector, query: tree } = parseSingle(query)
  const by = 'by' in tree ? tree.by : []
  const asked = { selector, by, startTime: -8.64e15, endTime: 8.64e15, limit: 50 }
  const used: { here: number; there: number }[] = []
  let told = ''
  for (let i = 0; i < rounds; i++) {
    const [before, engineBefore] = [process.cpuUsage(), readCpuSeconds(engine.pid)]
    const answer = await store.select(
      { ...asked, order: 'desc', cursor: undefined },
      AbortSignal.timeout(300_000),
    )
    const { user, system } = process.cpuUsage(before)
    const there = (readCpuSeconds(engine.pid) - engineBefore) * 1e3
    used.push({ here: (user + system) / 1e3, there })
    told = `${answer.count} found, ${answer.stats.recordsScanned} fetched`
  }
  const [here, there] = [used.map(one => one.here), used.map(one => one.there)].map(median)
  console.log(`${here!.toFixed(0)} ms here, ${there!.toFixed(0)} ms there, ${told}: ${query}`)
}
await store.close()
await remove()
