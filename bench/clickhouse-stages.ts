/**
 * What questions with stages, about kinds of messages and of the order of durations cost on ClickHouse:
 * `node bench/clickhouse-stages.ts [RECORDS]`. Lines are JSON with a key at two depths, and one of five
 * logfmt. Of each question, asked three times: the median of the processor's time, here and of the engine
 * (the library of `test/clickhouse/install.sh`), and how many records were fetched.
 */
import { BatchWriter } from '../src/journal/batch-writer.ts'
import { parseSingle } from '../src/language/grammar.ts'
import type { SelectStats } from '../src/store/store.ts'
import { readCpuSeconds } from './child.ts'
import { makeClickHouseDirectory } from './clickhouse-directory.ts'
import { makeRecords, timeOf } from './records.ts'
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
  'count by (code) (logs | json code="http.code" | code="304")',
  'count by (method) (logs | logfmt --keep-empty | status >= 500)',
  'count by (method) (logs | unpack | json | status >= 500)',
  'count by (made) (logs | json | label_format made="{{.method | lower | trunc 3}}")',
  'count by (made) (logs | json | label_format made="{{.method}} {{.status}}" | keep made)',
]
/** What kinds of messages there are. */
const ofKinds = [
  'logs | json | status >= 500',
  'logs{log_level="error"} | json | drop __error__',
  '{service_name=~".+"} |= "GET"',
  'logs | json | line_format "{{.msg}}"',
  'logs | line_format "{{.host}}: {{__line__}}"',
]
/** Over time, in ten pieces. */
const overTime = [
  'last_over_time({service_name=~".+"} | unwrap duration(took) [1h]) by (host)',
  'rate_counter({service_name=~".+"} | unwrap bytes(sent) [1h]) by (host)',
  'count by (pattern) (logs | json | status >= 500)',
  'sum by (pattern) (ms, logs)',
  'count by (pattern) (logs | json | line_format "{{.msg}}")',
  'rate({service_name=~".+"} | json | keep method, status [1h])',
  'count_over_time({service_name=~".+"} | json [1h]) without (duration, msg)',
]

/** What lists fields and their values. */
const listings = [
  ['values of "method"', 'logs | json'],
  ['values of "service.name"', '{service_name=~".+"}'],
  ['facets of "method", "status"', 'logs | json | status >= 500'],
  ['fields', 'logs | json'],
  ['fields', 'logs | logfmt'],
  ['fields', 'logs | unpack | json'],
  ['fields', 'logs | json | line_format "{{.msg}}" | drop __error__, __error_details__'],
  ['facets', 'logs | json'],
  ['facets', 'logs | json | keep method, status, host'],
] as const

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
    : JSON.stringify({ ...values, http: { code: http.status, status: 0 }, duration })
  const own = ['host', host, 'took', duration, 'ms', `${duration_ms}`, 'sent', `${sequence}B`]
  writer.add({ timestamp, level, message: line, attributes: own }, known[stream]!)
  if (writer.approximateBytes > 256 * 1024) await store.appendBatches([writer.encode()])
}
if (writer.recordCount > 0) await store.appendBatches([writer.encode()])
await store.close()
store = await open()
await store.settle()

const always = { startTime: -8.64e15, endTime: 8.64e15, limit: 50 }
const stop = () => AbortSignal.timeout(300_000)

/** Asks `rounds` times; prints what that costs, and how much was found. */
async function measure(name: string, ask: () => Promise<readonly [found: string, SelectStats]>) {
  const used: { here: number; there: number }[] = []
  let told = ''
  for (let i = 0; i < rounds; i++) {
    const [before, engineBefore] = [process.cpuUsage(), readCpuSeconds(engine.pid)]
    const [found, stats] = await ask()
    const { user, system } = process.cpuUsage(before)
    const there = (readCpuSeconds(engine.pid) - engineBefore) * 1e3
    used.push({ here: (user + system) / 1e3, there })
    told = `${found} found, ${stats.recordsScanned} fetched`
  }
  const [here, there] = [used.map(one => one.here), used.map(one => one.there)].map(median)
  console.log(`${here!.toFixed(0)} ms here, ${there!.toFixed(0)} ms there, ${told}: ${name}`)
}

for (const query of questions) {
  const { selector, query: tree } = parseSingle(query)
  const by = 'by' in tree ? tree.by : []
  const asked = { ...always, selector, by, order: 'desc', cursor: undefined } as const
  await measure(query, async () => {
    const { count, stats } = await store.select(asked, stop())
    return [`${count}`, stats]
  })
}
for (const [what, query] of listings) {
  const { selector } = parseSingle(query)
  const asked = { ...always, selector }
  const names = [...what.matchAll(/"([^"]+)"/g)].map(([, name]) => name!)
  await measure(`${what} of ${query}`, async () => {
    if (what.startsWith('values')) {
      const { values, stats } = await store.values(
        { ...asked, field: names[0]!, prefix: '' },
        stop(),
      )
      return [`${values.length} values`, stats]
    }
    if (what === 'fields') {
      const { fields, stats } = await store.fields(asked, stop())
      return [`${fields.length} fields`, stats]
    }
    const fields = names.length > 0 ? names : undefined
    const { facets, stats } = await store.facets({ ...asked, fields }, stop())
    return [`${facets.length} facets`, stats]
  })
}

const { startTime, endTime } = timeOf(count)
for (const query of ofKinds) {
  const { selector } = parseSingle(query)
  const times = { startTime, endTime, bucketMs: 3_600_000, compareWith: undefined }
  const asked = { ...times, selector, limit: 50 }
  await measure(`kinds of ${query}`, async () => {
    const { count, stats } = await store.patterns(asked, stop())
    return [`${count}`, stats]
  })
}
const pieces = { origin: startTime, stepMs: (endTime - startTime) / 10, pointCount: 10 }
for (const query of overTime) {
  const { query: aggregate } = parseSingle(query)
  if (aggregate.kind !== 'aggregate' && aggregate.kind !== 'range') {
    throw new TypeError(`no aggregate: ${query}`)
  }
  await measure(`in ten pieces ${query}`, async () => {
    const { series, stats } = await store.series({ aggregate, ...pieces }, stop())
    return [`${series.length} series`, stats]
  })
}
await store.close()
await remove()
