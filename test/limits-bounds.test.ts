/** Bounds that no other test tries at the bound and one past it; `limits.test.ts` lists all. */
import { zstdCompressSync } from 'node:zlib'
import { RE2JS } from 're2js'
import t from 'tap'
import { AuthFailures } from '../src/http/access/auth-failures.ts'
import { encodeEventBatch } from '../src/ingest/event-batch.ts'
import { parseQuery } from '../src/language/grammar.ts'
import { limits } from '../src/limits.ts'
import { compilePattern, patternRefusal } from '../src/match/pattern.ts'
import { Firsts } from '../src/query/collect/firsts.ts'
import { Groups } from '../src/query/collect/groups.ts'
import { ValueCounts } from '../src/query/collect/value-counts.ts'
import { CounterAccumulator } from '../src/query/series/counters.ts'
import { DistinctAccumulator } from '../src/query/series/distinct.ts'
import { QuantileAccumulator } from '../src/query/series/samples.ts'
import { openTestCatalog } from './catalog/catalog-in.ts'
import { decodeBody } from './http/body/decode.ts'
import { post } from './http/call.ts'
import { keyOf, startServer } from './http/stand-ins.ts'
import { allRecords, neverAborted, openStoreOf } from './store/store-in.ts'

const reading = {
  format: 'events',
  stream: { service: 'a', environment: 'b' },
  context: { receivedAt: 0, timestampField: undefined, eventBytesMax: 1_024 },
} as const

const encode = (body: Buffer) => encodeEventBatch(body, reading, Number.POSITIVE_INFINITY)!

t.test('a million events are taken, and not one more', async t => {
  const body = Buffer.from('1\n'.repeat(limits.batchEventsMax))
  t.equal(encode(body).accepted, limits.batchEventsMax)
  const more = Buffer.concat([body, Buffer.from('1\n')])
  t.throws(() => encode(more), { code: 'body_too_large' })
})

t.test('so many errors of a request are listed, and all are counted', async t => {
  const listed = (count: number) => {
    const { errors, rejected } = encode(Buffer.from(`1\n${'x\n'.repeat(count)}`))
    t.equal(rejected, count)
    return errors.length
  }
  t.equal(listed(limits.ingestErrorsListedMax), limits.ingestErrorsListedMax)
  t.equal(listed(limits.ingestErrorsListedMax + 1), limits.ingestErrorsListedMax)
})

t.test('ranks and offsets are taken up to their bounds', async t => {
  const takes = (query: string) => t.doesNotThrow(() => parseQuery(query), query)
  const refuses = (query: string) => t.throws(() => parseQuery(query), { code: /^query_/ }, query)
  takes(`topk(${limits.queryRankMax}, count by (a) (logs))`)
  refuses(`topk(${limits.queryRankMax + 1}, count by (a) (logs))`)
  takes(`count(logs offset ${limits.queryOffsetMsMax}ms)`)
  refuses(`count(logs offset ${limits.queryOffsetMsMax + 1}ms)`)
})

t.test('an expression may cost so much, and no more', async t => {
  const empty = 3
  t.equal(patternRefusal('x'.repeat(limits.queryPatternCostMax - empty)), undefined)
  t.match(patternRefusal('x'.repeat(limits.queryPatternCostMax - empty + 1)), /too large/)
})

t.test('an expression keeps as many states as its size allows', async t => {
  const { compile } = RE2JS
  t.teardown(() => {
    RE2JS.compile = compile
  })
  let compiled: RE2JS | undefined
  RE2JS.compile = (...given: Parameters<typeof compile>) => {
    compiled = compile(...given)
    return compiled
  }
  for (const source of ['a', '(?:[ab]{1,50}x){20}']) {
    compilePattern(source, 'anywhere')
    const instructions = compiled!.programSize()
    const bytes = limits.patternStateBytes + limits.patternStateBytesPerInstruction * instructions
    t.match(compiled!.re2().dfa, { stateBudget: bytes, memBudget: bytes }, source)
  }
})

t.test('groups, and the length of their values, have bounds', async t => {
  const many = new Groups(['a'])
  for (let i = 0; i < limits.queryGroupsMax; i++) many.addGroup([`${i}`], 1)
  t.equal(many.refusal, undefined)
  many.addGroup(['0'], 1)
  t.equal(many.refusal, undefined, 'a known one is not another')
  many.addGroup(['one more'], 1)
  t.match(many.refusal, /groups/)

  const long = new Groups(['a', 'b'])
  long.addGroup(['x'.repeat(limits.groupsLengthMax - 1), 'y'], 1)
  t.equal(long.refusal, undefined)
  long.addGroup(['', 'z'], 1)
  t.match(long.refusal, /characters/)
})

t.test('combinations of distinct, and the length of them, have bounds', async t => {
  const firsts = (keys: readonly string[]) => {
    const all = new Firsts(['a'], 'asc')
    const places = new Float64Array(keys.length)
    all.addPlain({ keys, timestamps: places, sequences: places })
    return all.refusal
  }
  const many = Array.from({ length: limits.queryDistinctMax }, (_, i) => `["${i}"]`)
  t.equal(firsts(many), undefined)
  t.equal(firsts([...many, many[0]!]), undefined, 'a known one is not another')
  t.match(firsts([...many, '["one more"]']), /combinations.*fewer labels/)
  const long = 'x'.repeat(limits.queryDistinctLengthMax)
  t.equal(firsts([long]), undefined)
  t.match(firsts([long, 'y']), /characters/)
})

t.test('values of one field, and their length, have bounds', async t => {
  const bounds = { countMax: limits.fieldValuesMax, lengthMax: limits.fieldValuesLengthMax }
  const many = new ValueCounts({ prefix: '', bounds })
  for (let i = 0; i < limits.fieldValuesMax; i++) many.add(`${i}`, 1)
  t.equal(many.isOver, false)
  many.add('one more', 1)
  t.equal(many.isOver, true)

  const long = new ValueCounts({ prefix: '', bounds })
  long.add('x'.repeat(limits.fieldValuesLengthMax), 1)
  t.equal(long.isOver, false)
  long.add('y', 1)
  t.equal(long.isOver, true)
})

t.test('values of one rate_counter are held up to a bound', async t => {
  const { counterValuesMax: max } = limits
  const accumulator = new CounterAccumulator({ label: 'a' }, 1)
  const add = (count: number) =>
    accumulator.addPlain(Uint32Array.of(0, 1), {
      numbers: new Float64Array(3 * count),
      starts: Uint32Array.of(0, 0, count),
      skippedCount: 0,
    })
  add(max)
  t.equal(accumulator.refusal, undefined)
  t.throws(() => add(1), { code: 'query_too_large', message: /rate_counter.*fewer points/ })
})

t.test('numbers of one quantile are held up to a bound', async t => {
  const accumulator = new QuantileAccumulator({ label: 'a' }, 0.5)
  const add = (from: number, count: number) =>
    accumulator.addPlain(Uint32Array.of(0, 1), {
      values: Float64Array.from({ length: count }, (_, i) => from + i),
      counts: new Uint32Array(count).fill(1),
      starts: Uint32Array.of(0, 0, count),
      tables: [],
      skippedCount: 0,
    })
  add(0, limits.quantileValuesMax)
  add(0, limits.quantileValuesMax / 2) // No others: the same once more.
  t.equal(accumulator.refusal, undefined)
  add(limits.quantileValuesMax, 1)
  t.match(accumulator.refusal, /distinct numbers/)
})

t.test('texts of one count_distinct, and their length, have bounds', async t => {
  const add = (accumulator: DistinctAccumulator, texts: string[]) =>
    accumulator.addPlain(Uint32Array.of(0, 0), {
      texts,
      numbers: Uint32Array.from(texts.keys()),
      starts: Uint32Array.of(0, 0, texts.length),
      hasRecords: Uint8Array.of(0, 1),
    })
  const many = new DistinctAccumulator('a')
  add(
    many,
    Array.from({ length: limits.distinctValuesMax }, (_, i) => `${i}`),
  )
  add(many, ['0', '1'])
  t.equal(many.refusal, undefined)
  add(many, ['one more'])
  t.match(many.refusal, /distinct values/)

  const long = new DistinctAccumulator('a')
  add(long, ['x'.repeat(limits.distinctLengthMax)])
  t.equal(long.refusal, undefined)
  add(long, ['y'])
  t.match(long.refusal, /characters/)
})

t.test('numbers and lists of a request are taken up to their bounds', async t => {
  const { url } = await startServer(t)
  const headers = { Authorization: `Bearer ${keyOf.viewer}` }
  const asked = { query: 'logs', startTime: 0, endTime: 0 }
  const asks = async (operation: string, more: object, status: number) => {
    const path = `${url}/api/v1/query/logs${operation}`
    const sent = await post(path, keyOf.viewer, { ...asked, ...more })
    const text = await sent.text()
    t.equal(
      sent.status,
      status,
      `${operation} ${JSON.stringify(more).slice(0, 60)} ${text.slice(0, 99)}`,
    )
  }
  const bounds = async (operation: string, max: number, more: (count: number) => object) => {
    await asks(operation, more(max), 200)
    await asks(operation, more(max + 1), 400)
  }
  await bounds('', limits.queryLimitMax, limit => ({ limit }))
  await bounds('/values', limits.topValuesMax, limit => ({ field: 'a', limit }))
  await bounds('/facets', limits.topValuesMax, limit => ({ limit }))
  await bounds('/facets', limits.facetFieldsMax, count => ({
    fields: Array.from({ length: count }, (_, i) => `f${i}`),
  }))
  await bounds('/context', limits.contextRecordsMax, before => ({ id: 'a.b', before }))
  await bounds('/context', limits.contextRecordsMax, after => ({ id: 'a.b', after }))
  await bounds('/histogram', limits.histogramBucketsMax, count => ({
    bucketMs: 10,
    endTime: 10 * count - 1,
  }))

  await bounds('/patterns', limits.patternsListedMax, limit => ({ limit }))
  await bounds('/patterns', limits.patternBucketsMax, count => ({
    bucketMs: 10,
    endTime: 10 * count - 1,
  }))

  const get = async (path: string, status: number) => {
    const sent = await fetch(url + path, { headers })
    await sent.body?.cancel()
    t.equal(sent.status, status, path.slice(0, 60))
  }
  await get(`/api/v1/query/logs/tail?query=logs&last=${limits.tailLastMax}`, 200)
  await get(`/api/v1/query/logs/tail?query=logs&last=${limits.tailLastMax + 1}`, 400)
  const form = async (body: string, status: number) => {
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const sent = await post(`${url}/api/v1/labels`, keyOf.viewer, body, { headers: type })
    await sent.body?.cancel()
    t.equal(sent.status, status, body.slice(0, 60))
  }
  const selectors = (count: number) => 'match[]=logs&'.repeat(count)
  await form(selectors(limits.matchSelectorsMax), 200)
  await form(selectors(limits.matchSelectorsMax + 1), 400)
})

t.test('a form is taken up to its bound', async t => {
  const { url } = await startServer(t)
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const ask = (bytes: number) =>
    post(`${url}/api/v1/query`, keyOf.viewer, 'query=1&x='.padEnd(bytes, 'x'), { headers })
  t.equal((await ask(limits.formBodyBytesMax)).status, 200)
  t.equal((await ask(limits.formBodyBytesMax + 1)).status, 413)
})

t.test('a page of records ends when its answer is long enough', async t => {
  const store = await openStoreOf(t, t.testdir())
  const length = 200_000
  const count = Math.ceil(limits.answerLengthMax / length) + 20
  const attributes = ['text', 'x'.repeat(length)]
  for (let i = 0; i < count; i++) {
    const record = { timestamp: i, level: 'info', message: `${i}`, attributes }
    await store.append(record, reading.stream)
  }
  const first = await store.select(allRecords, neverAborted)
  const held = first.records.length * length
  t.equal(first.count, count)
  t.ok(
    held >= limits.answerLengthMax - length && held <= limits.answerLengthMax + 2 * length,
    `${held}`,
  )
  const rest = await store.select({ ...allRecords, cursor: first.nextCursor }, neverAborted)
  t.equal(first.records.length + rest.records.length, count, 'the rest is on the next page')
})

t.test('a body of as many zstd frames as may be is decoded, and of no more', async t => {
  const frame = zstdCompressSync(Buffer.from('x'))
  const body = Buffer.concat(Array.from({ length: limits.zstdFramesMax }, () => frame))
  const decode = async (frames: Buffer) => decodeBody('zstd', frames, 2 * 1024 * 1024)
  t.equal((await decode(body)).length, limits.zstdFramesMax)
  await t.rejects(decode(Buffer.concat([body, frame])), { code: 'encoding_broken' })
})

t.test('a saved query has so many columns, and no more', async t => {
  const { savedQueries } = await openTestCatalog(t, t.testdir())
  const columns = (count: number) => Array.from({ length: count }, (_, i) => `c${i}`)
  const query = { name: 'a', query: 'logs' }
  const saved = await savedQueries.save({ ...query, columns: columns(limits.savedQueryColumnsMax) })
  t.equal(saved.columns.length, limits.savedQueryColumnsMax)
  await t.rejects(
    async () => savedQueries.save({ ...query, columns: columns(limits.savedQueryColumnsMax + 1) }),
    { code: 'field_invalid' },
  )
})

t.test('so many wrong credentials in a minute are told to be wrong', async t => {
  let now = 0
  const authFailures = new AuthFailures({
    failuresMax: limits.authFailuresMax,
    windowMs: limits.authFailureWindowMs,
    addressesMax: limits.authFailureAddressesMax,
    now: () => now,
  })
  const { url } = await startServer(t, { authFailures })
  const guess = async () => {
    const headers = { Authorization: 'Bearer guessed' }
    const sent = await fetch(`${url}/api/v1/dashboards`, { headers })
    await sent.body?.cancel()
    return sent.status
  }
  for (let i = 0; i < limits.authFailuresMax; i++) t.equal(await guess(), 401)
  t.equal(await guess(), 429)
  now = limits.authFailureWindowMs - 1
  t.equal(await guess(), 429)
  now = limits.authFailureWindowMs
  t.equal(await guess(), 401, 'a new window')
})
