/** What ClickHouse counts is what a scan's collector collects of the same records. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { everyRecord, type Selector } from '../../src/language/ast.ts'
import { ownName } from '../../src/language/logql-names.ts'
import { type CollectorRequest, newCollector } from '../../src/query/collect/collector.ts'
import type { PlainSamples } from '../../src/query/series/samples.ts'
import type { LogRecord } from '../../src/record.ts'
import { toldOf } from '../../src/store/clickhouse/sql/told.ts'
import { longRuns } from '../long-runs.ts'
import { arbitraryRecord, arbitraryStream, object } from '../query/plain.ts'
import { type Part, sameBothWays } from './both-ways.ts'
import { hostileText } from './hostile.ts'
import { engineMissing } from './installed-engine.ts'
import { hostileQuantities } from './quantities.ts'
import { sharedEngine } from './shared-engine.ts'
import { makeTable, rowsOfQuestion, type Stored } from './table.ts'

const skip = engineMissing ?? false
const labels = [
  ...['log_level', 'service.name', 'environment', 'message', 'absent'],
  ...['user.id', 'status', 'path', 'ключ', '', '__proto__', 'pattern'],
]
const someLabel = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...labels) },
  { weight: 1, arbitrary: hostileText },
)
const someLabels = fc.uniqueArray(someLabel, { maxLength: 4 })

const arbitraryPart: fc.Arbitrary<Part> = fc
  .integer({ min: 1, max: 60 })
  .chain(every => object({ every: fc.constant(every), first: fc.nat(every - 1) }))

/** Before all records, however long the step. */
const origin = 1_699_999_999_800
const seriesTimes = object({
  origin: fc.integer({ min: origin, max: origin + 50 }),
  stepMs: fc.integer({ min: 1, max: 90 }),
  pointCount: fc.constant(500),
})

const arbitraryRequest: fc.Arbitrary<CollectorRequest> = fc.oneof(
  object({ kind: fc.constant('groups' as const), by: someLabels }),
  object({ kind: fc.constant('histogram' as const), bucketMs: fc.constantFrom(1, 7, 50, 60_000) }),
  object({
    kind: fc.constant('facets' as const),
    fields: fc.uniqueArray(someLabel, { minLength: 1 }),
    wanted: object({
      prefix: fc.oneof(fc.constantFrom('', '4', '/a', 'e', 'é', '😀', 'absent'), hostileText),
      bounds: object({
        countMax: fc.integer({ min: 1, max: 40 }),
        lengthMax: fc.nat(300),
      }),
    }),
  }),
  fc.constant({ kind: 'fields' as const, tooMany: 'refuse' as const }),
  fc.constant({ kind: 'services' as const }),
  fc
    .tuple(
      seriesTimes,
      fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined }),
      fc.constantFrom('count' as const, 'rate'),
      someLabels,
    )
    .map(([times, rangeMs, operation, by]) => ({
      kind: 'series' as const,
      ...times,
      operation,
      by,
      unwrap: undefined,
      quantile: undefined,
      ...(rangeMs !== undefined && { rangeMs }),
    })),
  {
    weight: 5,
    arbitrary: fc
      .tuple(
        seriesTimes,
        fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined }),
        fc.constantFrom(
          ...(['sum', 'avg', 'min', 'max', 'quantile', 'count_distinct', 'rate'] as const),
          ...(['bytes_over_time', 'bytes_rate', 'stddev_over_time', 'stdvar_over_time'] as const),
          ...(['first_over_time', 'last_over_time', 'rate_counter', 'quantile_over_time'] as const),
        ),
        someLabels,
        fc.oneof({ weight: 3, arbitrary: fc.constantFrom('n', 'status') }, someLabel),
        fc.constantFrom(undefined, undefined, 'duration' as const, 'bytes' as const),
        fc.constantFrom(0, 0.25, 0.95, 1),
      )
      .map(([times, rangeMs, operation, by, unwrap, unwrapUnit, quantile]) => ({
        ...{ kind: 'series' as const, ...times, operation, by, unwrap, quantile },
        ...(unwrapUnit !== undefined && operation !== 'count_distinct' && { unwrapUnit }),
        ...(rangeMs !== undefined && { rangeMs }),
      })),
  },
  fc
    .tuple(
      fc.oneof({ weight: 3, arbitrary: fc.constantFrom('n', 'status') }, someLabel),
      fc.constantFrom(undefined, 'duration' as const, 'bytes' as const),
    )
    .map(([label, unit]) => ({ kind: 'numbers' as const, label, ...(unit && { unit }) })),
)

/** Numbers of every form, some that add up differently in another order, and what is none. */
const numbers = [
  ...['1', '0.1', '1e300', '-1e300', '1.7e308', '9007199254740993', '-0', '007', '.5', '1e-320'],
  ...['1h30m', '250ms', '10KB', '1.5 MiB', '', 'x', ' 1', '0x10', 'Infinity', '1e999'],
]

/** Records of every form, with numbers, and with several attributes of one name in LogQL. */
function someStored(): Stored[] {
  const one = object({ record: arbitraryRecord, stream: arbitraryStream })
  return fc.sample(one, { numRuns: 300, seed: 22 }).map(({ record, stream }, at): Stored => {
    const texts = at % 2 === 0 ? numbers : hostileQuantities
    const number = texts[(at * 7) % (texts.length + 3)]
    const hasOne = number === undefined || record.attributes.includes('n')
    const added = [...(hasOne ? [] : ['n', number]), ...alikeOf(at, record)]
    return { record: { ...record, attributes: [...record.attributes, ...added] }, stream }
  })
}

function alikeOf(at: number, { attributes }: LogRecord): string[] {
  const pairs = [
    ...(at % 5 === 0 ? ['1a', `x${at % 3}`] : []),
    ...(at % 7 === 0 ? ['user_id', at % 2 === 0 ? '' : 'u'] : []),
    ...(at % 11 === 0 ? ['b\u00e9\u20acc', '0.5'] : []),
    ...(at % 13 === 0 ? ['pattern', at % 2 === 0 ? '' : 'own'] : []),
  ]
  return pairs.filter((_, i) => !attributes.includes(pairs[i - (i % 2)]!))
}

/** Longer texts are not told where they are counted one by one. */
const isShort = { label: 'n', operator: '!~', value: '9{400}.*' } as const

t.test('all that can be asked of all records', { skip }, async t => {
  const engine = await sharedEngine(t)
  const stored = someStored()
  await makeTable(engine, stored)
  const seen = { asked: 0, told: 0 }
  await fc.assert(
    fc.asyncProperty(arbitraryRequest, arbitraryPart, async (request, part) => {
      seen.asked++
      if (await sameBothWays(engine, stored, request, part, everyRecord)) seen.told++
    }),
    longRuns(1_000),
  )
  // Not told are numbers whose text is too long.
  t.ok(seen.told > 0.9 * seen.asked, JSON.stringify(seen))
})

t.test(
  'values by kind of message, of rows that tell theirs and of those that do not',
  { skip },
  async t => {
    const engine = await sharedEngine(t)
    const stored = someStored()
    await makeTable(engine, stored)
    const times = { origin, stepMs: 90, pointCount: 500, rangeMs: 90, quantile: 0.5 }
    const series = { kind: 'series', ...times, by: ['pattern'], unwrap: 'n' } as const
    const wanted = { prefix: '', bounds: { countMax: 1_000, lengthMax: 1e6 } }
    const requests: readonly CollectorRequest[] = [
      { ...series, operation: 'count_distinct', by: [], unwrap: 'pattern' },
      { ...series, operation: 'max_over_time' },
      { ...series, operation: 'quantile_over_time', unwrapUnit: 'bytes' },
      { ...series, operation: 'last_over_time', unwrapUnit: 'duration' },
      { ...series, operation: 'rate_counter', unwrapUnit: 'duration' },
      { kind: 'facets', fields: ['user_id', 'pattern'], wanted },
    ]
    for (const selector of [everyRecord, { ...everyRecord, names: 'logql' } as const]) {
      for (const request of requests) {
        const asked = { ...selector, matchers: [isShort] }
        const found = await sameBothWays(engine, stored, request, { every: 1, first: 0 }, asked)
        assert.ok(found !== undefined && found.left > 0 && found.left < found.matching / 2)
      }
    }
    t.pass()
  },
)

const logqlNames = [
  ...['user_id', '_1a', 'b__c', 'n', 'absent_one', 'service_name', 'detected_level', 'pattern'],
]

t.test('under the names that LogQL has, of which each may be of several', { skip }, async t => {
  const engine = await sharedEngine(t)
  const stored = someStored()
  await makeTable(engine, stored)
  const labels = fc.uniqueArray(fc.constantFrom(...logqlNames), { minLength: 1, maxLength: 3 })
  const order = fc.constantFrom('asc' as const, 'desc', 'latest')
  const staged: Selector = { ...everyRecord, stages: [] }
  const ofLogql: Selector = { ...everyRecord, names: 'logql' }
  const isSame = async (request: CollectorRequest, part: Part, selector: Selector) => {
    assert.ok(await sameBothWays(engine, stored, request, part, selector))
  }
  await fc.assert(
    fc.asyncProperty(labels, order, seriesTimes, arbitraryPart, async (by, order, times, part) => {
      await isSame({ kind: 'firsts', labels: by, order }, part, staged)
      await isSame({ kind: 'firsts', labels: ['pattern'], order }, part, everyRecord)
      const own = by.map(ownName)
      await isSame({ kind: 'groups', by: own }, part, ofLogql)
      const wanted = { prefix: '', bounds: { countMax: 1_000, lengthMax: 1e6 } }
      const fields = [...by, ...own.filter(name => !by.includes(name)), 'user.id', 'message']
      await isSame({ kind: 'facets', fields, wanted }, part, ofLogql)
      await isSame({ kind: 'fields', tooMany: 'refuse' }, part, ofLogql)
      const asked = { ...times, by: own, rangeMs: 70, unwrap: own[0]!, quantile: 0.5 }
      for (const operation of ['sum_over_time', 'quantile_over_time', 'last_over_time'] as const) {
        const short: Selector = { ...ofLogql, matchers: [isShort] }
        await isSame({ kind: 'series', ...asked, operation }, part, short)
      }
    }),
    longRuns(100),
  )
  t.pass()
})

t.test(
  'an empty attribute of another spelling, which counts where no other is near',
  { skip },
  async t => {
    const engine = await sharedEngine(t)
    const record = { timestamp: origin, level: '', message: '', attributes: ['user.id', ''] }
    const stored: Stored[] = [{ record, stream: { service: '', environment: '' } }]
    await makeTable(engine, stored)
    const wanted = { prefix: '', bounds: { countMax: 9, lengthMax: 9 } }
    const request: CollectorRequest = { kind: 'facets', fields: ['user_id'], wanted }
    const ofLogql: Selector = { ...everyRecord, names: 'logql' }
    const found = await sameBothWays(engine, stored, request, { every: 1, first: 0 }, ofLogql)
    t.equal(found?.left, 1)
  },
)

t.test('too many groups are refused as those of a scan', { skip }, async t => {
  const engine = await sharedEngine(t)
  await makeTable(engine, [])
  await engine.ask(`INSERT INTO otel_logs (ServiceName, Body, Time, LogAttributes)
    SELECT 'api', repeat('x', 1000) || toString(number), number, map(toString(number), '')
    FROM numbers(20000)`)
  const requests: readonly CollectorRequest[] = [
    { kind: 'groups', by: ['message'] },
    { kind: 'fields', tooMany: 'refuse' },
    {
      ...{ kind: 'series', operation: 'count', by: ['message'], origin: 0, stepMs: 1_000 },
      ...{ pointCount: 20, unwrap: undefined, quantile: undefined },
    },
  ]
  for (const request of requests) {
    const question = toldOf(everyRecord, request)!.question!
    const rows = await rowsOfQuestion(engine, question, 'otel_logs WHERE 1')
    t.ok(JSON.stringify(rows).length < 16_000_000)
    const collector = newCollector(request)
    collector.addPlain(question.plainOf(rows))
    t.match(collector.refusal, /more than/)
  }
})

t.test('too many texts, or one that is too long, are not told', { skip }, async t => {
  const engine = await sharedEngine(t)
  await makeTable(engine, [])
  await engine.ask(`INSERT INTO otel_logs (Body, Time, LogAttributes)
    SELECT toString(number), number, map('long', repeat('1', 120 + number % 10))
    FROM numbers(200001)`)
  const plainOf = async (request: CollectorRequest, where: string) => {
    const question = toldOf(everyRecord, request)!.question!
    const rows = await rowsOfQuestion(engine, question, `otel_logs ${where}`)
    return question.plainOf(rows)
  }
  const times = { by: [], origin: 0, stepMs: 1e6, pointCount: 1, quantile: undefined }
  const sum = { kind: 'series', operation: 'sum', ...times } as const
  t.ok(await plainOf({ ...sum, unwrap: 'message' }, 'WHERE Time > 0'))
  t.equal(await plainOf({ ...sum, unwrap: 'message' }, 'WHERE 1'), undefined)
  const short = "WHERE length(LogAttributes['long']) <= 128"
  t.ok(await plainOf({ ...sum, unwrap: 'long' }, short))
  t.equal(await plainOf({ ...sum, unwrap: 'long' }, 'WHERE 1'), undefined)
  const numbersOf = async (label: string, unit?: 'bytes') => {
    const request = { kind: 'numbers', label, ...(unit && { unit }) } as const
    return ((await plainOf(request, 'WHERE 1')) as PlainSamples).values.length
  }
  t.equal(await numbersOf('message'), 200_001, 'as numbers they are')
  t.equal(await numbersOf('message', 'bytes'), 200_001)
  t.equal(await numbersOf('long', 'bytes'), 10)
})

t.test('kinds and fields under the names of LogQL, and lines are counted by us', async t => {
  const ofLogql: Selector = { ...everyRecord, names: 'logql' }
  const isAnswered = (request: CollectorRequest, selector: Selector = everyRecord) =>
    toldOf(selector, request) !== undefined
  t.ok(isAnswered({ kind: 'fields', tooMany: 'refuse' }))
  t.ok(isAnswered({ kind: 'fields', tooMany: 'refuse' }, ofLogql))
  t.notOk(isAnswered({ kind: 'firsts', labels: ['message'], order: 'asc' }))
  t.ok(isAnswered({ kind: 'groups', by: ['pattern'] }))
  t.ok(isAnswered({ kind: 'groups', by: ['pattern'] }, ofLogql))
})
