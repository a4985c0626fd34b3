/**
 * The service on ClickHouse answers as the plain reading of the contract does, and as the service on files
 * does, wherever the records are: in the journal, in ClickHouse, or some here and some there.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { patternOfMessage } from '../../src/columns/patterns/message-pattern.ts'
import { compareAll } from '../differential/asking.ts'
import { arbitraryEvent, type RandomEvent } from '../differential/events.ts'
import { arbitraryQuestion, type Question, type StoredRecord } from '../differential/questions.ts'
import { makeSenders, type SentRecord, sendAll } from '../differential/senders.ts'
import { seed, share } from '../long-runs.ts'
import { openTail } from '../service/open-tail.ts'
import { type ServiceProcess, startService } from '../service/service-process.ts'
import { sampleOf } from '../store/random-store.ts'
import { until } from '../until.ts'
import {
  always,
  comparable,
  comparePages,
  compareTables,
  firstDifference,
  isOfSomeFields,
  shownOfKinds,
  toldByBoth,
} from './compare-stores.ts'
import { type EngineProcess, startEngine } from './engine-process.ts'
import { engineMissing } from './installed-engine.ts'

const skip = engineMissing ?? false
/** What is in the journal stays there; what an earlier process has left there is sent at once. */
const keeping = ['--clickhouse-ship-after', '1d']
const sending = ['--clickhouse-ship-after', '100ms']

/** A service on an engine, which can be started again with other flags. */
class OnClickHouse {
  readonly engine: EngineProcess
  readonly #dataDir: string
  #service: ServiceProcess | undefined

  private constructor(engine: EngineProcess, dataDir: string) {
    this.engine = engine
    this.#dataDir = dataDir
  }

  static async start(t: Test, directory: string): Promise<OnClickHouse> {
    const engine = await startEngine(join(directory, 'engine'))
    const on = new OnClickHouse(engine, join(directory, 'data'))
    t.teardown(async () => {
      await on.#service?.end('SIGKILL')
      await engine.kill()
    })
    return on
  }

  async restart(flags: readonly string[], signal?: NodeJS.Signals): Promise<ServiceProcess> {
    await this.#service?.end(signal)
    const store = ['--store', 'clickhouse', '--clickhouse-url', `${this.engine.url}/default`]
    this.#service = await startService(this.#dataDir, { flags: [...store, ...flags] })
    return this.#service
  }

  /** Resolves when so many records are in ClickHouse. */
  async has(count: number): Promise<void> {
    await until(
      async () => Number(await this.engine.ask('SELECT count() FROM otel_logs')) === count,
    )
  }
}

t.test('every answer is the plain one, wherever the records are', { skip }, async t => {
  const on = await OnClickHouse.start(t, t.testdir())
  const events = sampleOf(arbitraryEvent, 600, seed)
  const [first, second, third] = [0, 1, 2].map(i => events.slice(i * 200, (i + 1) * 200))
  const sent: SentRecord[] = []
  let service = await on.restart(keeping)
  const senders = await makeSenders(service)
  const send = async (events: readonly RandomEvent[]) => {
    sent.push(...(await sendAll(service, senders, events, seed)))
  }
  const answersArePlain = () => compareAll(t, service, sent)

  await send(first!)
  await on.has(0)
  await answersArePlain()

  service = await on.restart(keeping)
  await on.has(200)
  await send(second!)
  await answersArePlain()

  service = await on.restart(sending, 'SIGKILL')
  await send(third!)
  await on.has(600)
  await on.engine.kill()
  await on.engine.start()
  await answersArePlain()
})

/** What is asked of kinds of messages: of one and of all others, over time, and beside times without any. */
function asksOfKinds(
  { selector, startTime, endTime, order, limit }: Question,
  record: StoredRecord,
): [string, object][] {
  const { id } = patternOfMessage(record.message)
  const [ofKind, ofOthers] = [`logs{pattern="${id}"}`, `logs{pattern!="${id}"}`]
  const times = { startTime, endTime }
  const never = { startTime: 0, endTime: 1 }
  const range = {
    start: startTime / 1000,
    end: endTime / 1000,
    step: (endTime - startTime) / 5e4 + 1,
  }
  const asked = { ...always, limit: 20 }
  const compared = { compareWith: times }
  const byKind = (text: string) => ({ query: `${text} by (pattern)`, ...range })
  return [
    ['query/logs', { query: ofKind, ...always, order, limit }],
    ['query_range', { query: `count by (pattern) (${selector})`, ...range }],
    ['query_range', { query: `count by (log_level) (${ofOthers})`, ...range }],
    ['query/logs/patterns', { query: ofOthers, ...asked, ...compared }],
    ['query/logs/patterns', { query: 'logs{pattern=~"p1-.*[02468ace]"}', ...asked }],
    ['query/logs/patterns', { query: selector, ...asked, compareWith: never }],
    ['query/logs/patterns', { query: selector, ...never, limit: 20, compareWith: always }],
    ['query/logs/changes', { query: selector, ...times, limit: 20 }],
    ['query/logs/changes', { query: selector, ...times, limit: 20, compareWith: always }],
    ['query/logs/changes', { query: selector, ...never, limit: 20 }],
    ['query/logs/changes', { query: selector, ...asked, compareWith: never }],
    ['query/logs/changes', { query: ofKind, ...times, limit: 20 }],
    ['query/logs/changes', { query: `logs{pattern="p1-'\\\\"}`, ...times, limit: 20 }],
    ['query/logs/values', { query: selector, ...times, field: 'pattern', prefix: '', limit: 10 }],
    ['query/logs/facets', { query: ofOthers, ...times, fields: ['pattern'], limit: 5 }],
    ['query/logs/patterns', { query: `${selector} | json | __error__!=""`, ...asked }],
    ['query/logs/patterns', { query: `${ofOthers} | logfmt | decolorize`, ...asked, ...compared }],
    [
      'query/logs/patterns',
      { query: `${selector} | line_format "{{.status}}: {{__line__}}"`, ...asked },
    ],
    ['query_range', byKind(`sum(count_over_time({service_name=~".+"} | unpack [1h]))`)],
    ['query_range', { query: `count by (pattern) (${ofOthers} | line_format "{{.a}}")`, ...range }],
    ['query/logs/changes', { query: '{service_name=~".+"}', ...times, limit: 20 }],
    ['query/logs/changes', { query: `${selector} | json`, ...times, limit: 20 }],
    [
      'query/logs/changes',
      { query: `${ofOthers} | logfmt | keep status, ms`, ...asked, ...compared },
    ],
    ['query/logs/changes', { query: `${ofOthers} | logfmt | drop status`, ...asked, ...compared }],
    ['query/logs/changes', { query: `${selector} | line_format "{{.a}} x"`, ...times, limit: 20 }],
    ['query/logs/changes', { query: `${selector} | json | keep a`, ...never, limit: 20 }],
    ['query/logs', { query: `${ofKind} | line_format "x {{.level}}"`, ...always, order, limit }],
    ['query_range', { query: `count_distinct(pattern, ${ofOthers} | keep status)`, ...range }],
    ['query_range', { query: `count_distinct by (pattern) (status, ${selector})`, ...range }],
    ['query_range', byKind('sum(count_over_time({service_name=~".+"} | json [1h]))')],
    ['query_range', byKind('last_over_time({service_name=~".+"} | unwrap duration(ms) [1h])')],
    ['query_range', byKind('max_over_time({service_name=~".+"} | unwrap status [1h])')],
  ]
}

/** What is asked of both stores: operation and body, or a path. */
function asksOf(question: Question, record: StoredRecord, i: number): [string, object][] {
  const { selector, startTime, endTime, field, groupBy, order, limit } = question
  const times = { startTime, endTime }
  const query = { query: selector, ...times }
  const by = groupBy.map(label => JSON.stringify(label)).join(', ')
  const range = {
    start: startTime / 1000,
    end: endTime / 1000,
    step: (endTime - startTime) / 5e4 + 1,
  }
  const metric = (text: string) => ({ query: text, ...range })
  const word = record.message.match(/\p{L}{3,}/u)?.[0] ?? 'x'
  const asks: [string, object][] = [
    ['query/logs', { ...query, order, limit }],
    ['query/logs', { query: `${selector} | search ${JSON.stringify(word)}`, ...times, limit }],
    ['query/logs', { query: `${selector} | json | __error__="" | level != "x"`, ...times, limit }],
    ['query/logs', { query: `${selector} | distinct log_level`, ...times, order, limit }],
    ['query/logs/facets', { ...query, limit: 5 }],
    ['query/logs/facets', { ...query, fields: [field, 'service.name'], limit: 3, numeric: true }],
    ['query/logs/fields', query],
    ['query/logs/fields', { ...query, query: `${selector} | json | drop __error__` }],
    ['query/logs/facets', { ...query, query: `${selector} | logfmt`, fields: [field], limit: 3 }],
    ['query/logs/values', { ...query, query: `${selector} | json`, field, prefix: '', limit: 10 }],
    ['query/logs/values', { ...query, field, prefix: '', limit: 10 }],
    ['query/logs/values', { ...query, field, prefix: word.slice(0, 1), limit: 10 }],
    ['query/logs/patterns', { ...query, ...always, limit: 10 }],
    ['query/logs/changes', { ...query, ...always, limit: 5 }],
    ['query/logs/histogram', { ...query, bucketMs: 86_400_000 }],
    ['query/logs/trace', { traceId: word }],
    ['query_range', metric(`count by (${by}) (${selector})`)],
    ['query_range', metric(`rate(${selector})`)],
    ['query_range', metric(`max by ("service.name") (${selector} | unwrap status)`)],
    ['query_range', metric(`sum(count_over_time({service_name=~".+"}[1h])) by (detected_level)`)],
    ['query_range', metric(`avg(ms, ${selector})`)],
    ['query_range', metric('rate({service_name=~".+"} | json [1h])')],
    ['query_range', metric('count_over_time({service_name=~".+"} | logfmt [1h]) without (ms)')],
    ...asksOfKinds(question, record),
  ]
  return asks.slice(i % 3) // Not each time all of them.
}

async function ask(
  service: ServiceProcess,
  operation: string,
  body: object,
  tries = 5,
): Promise<unknown> {
  const isRange = operation === 'query_range'
  const search = new URLSearchParams(
    Object.entries(body).map(([k, v]): [string, string] => [k, String(v)]),
  )
  const answer = isRange
    ? await service.call('GET', `/api/v1/query_range?${search}`)
    : await service.call('POST', `/api/v1/${operation}`, { body })
  // The machine is busy.
  if (answer.status === 503 && tries > 1) return ask(service, operation, body, tries - 1)
  return comparable({ status: answer.status, body: answer.body })
}

/** What lies around the records of a page, and of which traces they are. */
async function comparePlaces(
  services: readonly ServiceProcess[],
  question: Question,
): Promise<void> {
  const { selector: query, startTime, endTime, order } = question
  const body = { query, startTime, endTime, order, limit: 2 }
  const [ours, theirs] = await Promise.all(
    services.map(service => service.call('POST', '/api/v1/query/logs', { body })),
  )
  for (const [i, { id }] of ours!.body.logs.entries()) {
    assert.equal(id, theirs!.body.logs[i].id, `ids of ${query}`)
    for (const operation of ['query/logs/context', 'query/logs/trace']) {
      const [actual, expected] = await Promise.all(
        services.map(service => ask(service, operation, { id })),
      )
      assert.equal(firstDifference(actual, expected), undefined, `${operation} of ${query}`)
    }
  }
}

/** The records that a tail begins with. */
async function tailed(service: ServiceProcess, query: string, last: number): Promise<unknown> {
  const tail = await openTail(service, { parameters: { query, last: String(last) } })
  const found = await tail.records(last)
  tail.stop()
  return found.map(comparable)
}

t.test('every operation answers as it does on files', { skip }, async t => {
  const directory = t.testdir()
  const on = await OnClickHouse.start(t, directory)
  const files = await startService(join(directory, 'files'))
  t.teardown(() => files.end('SIGKILL'))
  let service = await on.restart(sending)
  const timed = sampleOf(arbitraryEvent, 400, seed).filter(
    ({ expected }) => expected.timestamp !== undefined,
  )
  const half = timed.length >> 1
  const [ours, theirs] = [await makeSenders(service), await makeSenders(files)]
  const send = async (events: readonly RandomEvent[]) => {
    await sendAll(files, theirs, events, seed)
    return sendAll(service, ours, events, seed)
  }
  const sent = await send(timed.slice(0, half))
  await on.has(half)
  // As rows of an older table, and those for which there was no time.
  const change = 'UPDATE PatternNumber = 0 WHERE Sequence % 3 = 0 SETTINGS mutations_sync = 1'
  await on.engine.ask(`ALTER TABLE otel_logs ${change}`)
  const told = Number(await on.engine.ask('SELECT countIf(PatternNumber != 0) FROM otel_logs'))
  t.ok(told > half / 2 && told < half, `${told} of ${half} tell of which kind they are`)
  service = await on.restart(keeping)
  sent.push(...(await send(timed.slice(half))))

  const records = sent.map((record): StoredRecord => ({ ...record, timestamp: record.timestamp! }))
  const pairs = fc.tuple(arbitraryQuestion(records), fc.constantFrom(...records), fc.nat(2))
  let answered = 0
  const property = fc.asyncProperty(pairs, async ([question, record, i]) => {
    for (const [operation, body] of asksOf(question, record, i)) {
      const answers = [await ask(service, operation, body), await ask(files, operation, body)]
      const isOfSome = await isOfSomeFields(files, operation, body)
      const [actual, expected] = isOfSome ? toldByBoth(answers) : answers
      const differing = firstDifference(actual, expected)
      assert.equal(differing, undefined, `${operation} ${JSON.stringify(body)}: ${differing}`)
      if ((expected as { status: number }).status === 200) answered++
    }
  })
  await fc.assert(property, { numRuns: share(15), seed, endOnFailure: true })
  const places = fc.asyncProperty(arbitraryQuestion(records), async question => {
    await comparePlaces([service, files], question)
  })
  await fc.assert(places, { numRuns: share(30), seed, endOnFailure: true })
  const both = [service, files] as const
  let [paged, shown] = [0, 0]
  const compareRest = async (question: Pick<Question, keyof typeof all>) => {
    paged += await comparePages(both, question)
    shown += await shownOfKinds(both, question.selector, records)
    await compareTables(both, question)
  }
  const all = { selector: 'logs', ...always, order: 'desc' } as const
  await compareRest(all)
  const rest = fc.asyncProperty(arbitraryQuestion(records), compareRest)
  await fc.assert(rest, { numRuns: share(15), seed, endOnFailure: true })
  t.ok(paged >= records.length, `${paged} records of pages are the same`)
  t.ok(shown > 0, `${shown} values are of their kind of message`)
  for (const query of ['logs', 'logs{log_level="info"}']) {
    t.same(await tailed(service, query, 20), await tailed(files, query, 20), `a tail of ${query}`)
  }
  t.ok(answered > 10 * share(15), `${answered} answers are the same`)

  service = await on.restart(sending)
  await on.has(timed.length)
  const body = { query: 'logs | distinct log_level', ...always, limit: 100 }
  const { count, stats } = (await service.call('POST', '/api/v1/query/logs', { body })).body
  t.ok(count > 1)
  t.equal(stats.recordsScanned, count, 'the first of each level, and no other, is fetched')
})
