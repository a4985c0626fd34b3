/**
 * Kinds of messages where some rows tell theirs and others do not: what ClickHouse says of the former, and the
 * plain reading of the latter, are together what is so of all.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { patternOfMessage } from '../../src/columns/patterns/message-pattern.ts'
import { everyRecord, type Matcher, type Selector } from '../../src/language/ast.ts'
import type { Stage } from '../../src/language/stage.ts'
import { type CollectorRequest, newCollector } from '../../src/query/collect/collector.ts'
import { conditionOf } from '../../src/store/clickhouse/sql/condition.ts'
import { isNotTold, isTold } from '../../src/store/clickhouse/sql/pattern-id.ts'
import { toldOf } from '../../src/store/clickhouse/sql/told.ts'
import { longRuns } from '../long-runs.ts'
import { batchOf } from '../query/parts.ts'
import { arbitraryRecord, arbitraryStream, matchesPlainly, object } from '../query/plain.ts'
import { sameBothWays, shown, Tally } from './both-ways.ts'
import type { EngineProcess } from './engine-process.ts'
import { hostileText } from './hostile.ts'
import { engineMissing } from './installed-engine.ts'
import { sharedEngine } from './shared-engine.ts'
import { makeTable, patternNumber, rowsOf, rowsOfQuestion, type Stored } from './table.ts'

const skip = engineMissing ?? false

/** Messages of kinds that several records have, of one line and more, long, odd, and what only looks like an id. */
const someMessage = fc.oneof(
  fc.tuple(fc.constantFrom('took', 'gave', 'é'), fc.nat(3)).map(([word, n]) => `${word} ${n} ms`),
  fc.constantFrom('', 'done', 'a\nb 1', `x ${'1'.repeat(7_000)} y`, `{"a": 1, "msg": "m"}`, 'p1-'),
  fc.constantFrom(`${'w '.repeat(900)}1`, `${'é'.repeat(2_500)} 7`, "it's {q0:String} 1"),
  hostileText,
)
const someRecord = fc
  .tuple(arbitraryRecord, someMessage, fc.option(fc.constantFrom('', 'own', 'p1-00')))
  .map(([record, message, own]) => {
    const { attributes } = record
    const isNamed = attributes.some((text, i) => i % 2 === 0 && text === 'pattern')
    const added = own === null || isNamed ? [] : ['pattern', own]
    return { ...record, message, attributes: [...attributes, ...added] }
  })

const isUntold = (one: Stored, at: number) => patternNumber(one, at) === 0n

function someStored(): Stored[] {
  const one = object({ record: someRecord, stream: arbitraryStream })
  return fc.sample(one, { numRuns: 400, seed: 22 })
}

const times = object({
  origin: fc.integer({ min: 1_699_999_999_800, max: 1_699_999_999_850 }),
  stepMs: fc.integer({ min: 1, max: 90 }),
  pointCount: fc.constant(500),
})
const by = fc
  .subarray(['log_level', 'service.name', 'user.id', 'status'], { maxLength: 2 })
  .map(labels => ['pattern', ...labels])
const request: fc.Arbitrary<CollectorRequest> = fc.oneof(
  object({
    kind: fc.constant('patterns' as const),
    bucketMs: fc.constantFrom(1, 7, 50, 60_000, 1e17),
    samples: fc.constantFrom(0, 1, 4),
  }),
  object({ kind: fc.constant('groups' as const), by }),
  fc.tuple(times, by).map(([times, by]) => ({
    ...{ kind: 'series' as const, operation: 'count' as const, ...times, by },
    ...{ unwrap: undefined, quantile: undefined },
  })),
)

function add(
  collector: ReturnType<typeof newCollector>,
  stored: readonly Stored[],
  isWanted: (at: number, one: Stored) => boolean,
): void {
  const records = stored.map(({ record, stream }) => ({ ...record, stream }))
  collector.add(
    batchOf(records, 0),
    Uint8Array.from(stored, (one, at) => (isWanted(at, one) ? 1 : 0)),
  )
}

t.test('rows that tell their kind and rows that do not, together', { skip }, async t => {
  const engine = await sharedEngine(t)
  const stored = someStored()
  await makeTable(engine, stored)
  await fc.assert(
    fc.asyncProperty(
      request,
      fc.integer({ min: 1, max: 9 }),
      fc.nat(8),
      async (request, every, at) => {
        const isOfPart = (row: number) => row % every === at % every
        const plainly = newCollector(request)
        add(plainly, stored, isOfPart)
        const question = toldOf(everyRecord, request)!.question!
        const from = `otel_logs WHERE Sequence % ${every} = ${at % every} AND ${isTold}`
        const counted = newCollector(request)
        const plain = await question.plainOf(await rowsOfQuestion(engine, question, from))
        assert.notEqual(plain, undefined)
        counted.addPlain(plain)
        add(counted, stored, (row, one) => isOfPart(row) && isUntold(one, row))
        assert.deepEqual(shown(counted), shown(plainly))
      },
    ),
    longRuns(400),
  )
  t.pass()
})

/** Of ids of messages, of what begins as one, and of expressions. */
function matcherOf(ids: readonly string[]): fc.Arbitrary<Matcher> {
  const odd = [fc.constantFrom('', '0', 'zz', '0123456789abcdef', '0123456789ABCDEF'), hostileText]
  const id = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...ids) },
    fc.oneof(...odd).map(rest => `p1-${rest}`),
  )
  const text = fc.tuple(id, fc.constantFrom<'=' | '!='>('=', '!='))
  const set = fc.tuple(fc.array(id, { minLength: 1, maxLength: 4 }), fc.boolean())
  const expression = fc.oneof(
    fc.constantFrom(...ids).map(id => `${id.slice(0, 5)}.*`),
    fc.constantFrom('p1-[0-7].*', 'p1-.*|', '(p1-)?', 'p1-\\d+[a-f].*', 'x|p1-'),
  )
  return fc.oneof(
    text.map(([value, operator]): Matcher => ({ label: 'pattern', operator, value })),
    set.map(
      ([values, isIn]): Matcher => ({
        ...{ label: 'pattern', operator: isIn ? ('in' as const) : 'not in', values },
      }),
    ),
    fc
      .tuple(expression, fc.constantFrom<'=~' | '!~'>('=~', '!~'))
      .map(([value, operator]): Matcher => ({ label: 'pattern', operator, value })),
  )
}

async function placesOf(
  engine: EngineProcess,
  condition: ReturnType<typeof conditionOf>,
  rows: string,
): Promise<Set<number>> {
  const sql = `SELECT Sequence AS at FROM otel_logs WHERE ${rows} AND (${condition.sql})`
  const found = await rowsOf<{ at: number | string }>(engine, sql, condition.params)
  return new Set(found.map(({ at }) => Number(at)))
}

t.test('a kind that is asked for: exactly of rows that tell it', { skip }, async t => {
  const engine = await sharedEngine(t)
  const stored = someStored()
  await makeTable(engine, stored)
  const ids = [...new Set(stored.map(({ record }) => patternOfMessage(record.message).id))]
  const matchers = fc.array(matcherOf(ids), { minLength: 1, maxLength: 2 })
  const selector = fc.tuple(matchers, fc.option(matchers)).map(
    ([matchers, others]): Selector => ({
      ...{ ...everyRecord, matchers },
      ...(others !== null && { alternatives: [{ matchers: others, filters: [] }] }),
    }),
  )
  let exact = 0
  await fc.assert(
    fc.asyncProperty(selector, async selector => {
      const told = conditionOf(selector, false, 'told')
      const ofTold = await placesOf(engine, told, isTold)
      const ofUntold = await placesOf(engine, conditionOf(selector, false), isNotTold)
      const ofAll = await placesOf(engine, conditionOf(selector, false), '1')
      if (told.isExact) exact++
      for (const [at, one] of stored.entries()) {
        const { record, stream } = one
        const isFound = isUntold(one, at) ? ofUntold.has(at) : ofTold.has(at)
        const isWanted = matchesPlainly(selector, record, stream)
        if (isWanted) assert.ok(isFound && ofAll.has(at), JSON.stringify(record))
        else if (told.isExact && !isUntold(one, at)) assert.ok(!isFound, JSON.stringify(record))
      }
    }),
    longRuns(400),
  )
  t.ok(exact > 0)
})

t.test(
  'a row that tells another kind than its message is of is not believed',
  { skip },
  async t => {
    const engine = await sharedEngine(t)
    await makeTable(engine, [])
    await engine.ask(`INSERT INTO otel_logs (Body, PatternNumber) VALUES ('took 1 ms', 7)`)
    const request: CollectorRequest = { kind: 'patterns', bucketMs: 1, samples: 0 }
    const question = toldOf(everyRecord, request)!.question!
    const rows = await rowsOfQuestion(engine, question, `otel_logs WHERE ${isTold}`)
    t.equal(await question.plainOf(rows), undefined)
  },
)

/** Words of every form, some longer than a skeleton, and what parts them. */
const someLine = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'took',
        '12',
        'a1b',
        'deadbeef',
        'DEADBEEF',
        'deadbeeF',
        'x',
        '0',
        '10.0.0.1',
      ),
      fc.constantFrom('\n', '\r\n', '\t', ' ', '{', '}', '=', '"', '[', ']', 'é', '–', '/', ':'),
      fc.constantFrom('w'.repeat(990), '1'.repeat(120), 'w '.repeat(3_001), ' '.repeat(120)),
    ),
    { maxLength: 12 },
  )
  .map(parts => parts.join(' ').replaceAll(' \n ', '\n'))

t.test('kinds of lines that stages have made others', { skip }, async t => {
  const engine = await sharedEngine(t)
  const line = fc.oneof(someLine, someMessage)
  const lines = fc.sample(line, { numRuns: 400, seed: 23 })
  const stored = someStored().map(({ record, stream }, at): Stored => {
    // The begin that is shown of a longer object is of another kind.
    const entry = [...lines[at]!].slice(0, 900).join('')
    const packed = JSON.stringify({ status: `${at % 3}`, _entry: entry })
    return { record: { ...record, message: at % 2 === 0 ? packed : lines[at]! }, stream }
  })
  await makeTable(engine, stored)
  const stages = fc.constantFrom<Stage[]>(
    [{ kind: 'unpack' }],
    [{ kind: 'line_format', text: 'at {{.status}}: {{__line__}}' }],
    [{ kind: 'line_format', text: '{{__line__}}{{.pattern}}' }],
    [{ kind: 'unpack' }, { kind: 'line_format', text: '{{__line__}} x' }],
    [
      { kind: 'unpack' },
      { kind: 'label_format', assignments: [{ label: 'pattern', from: 'status' }] },
    ],
  )
  const asked = new Tally()
  await fc.assert(
    fc.asyncProperty(stages, request, async (stages, request) => {
      const selector = { ...everyRecord, stages }
      const all = { every: 1, first: 0 }
      asked.add(await sameBothWays(engine, stored, request, all, selector))
    }),
    longRuns(100),
  )
  const text = JSON.stringify(asked)
  t.ok(asked.told === asked.asked && asked.left < 0.3 * asked.matching, text)
  t.comment(text)
})

t.test('more texts of changed lines than are told may be of kinds that are', async t => {
  const selector: Selector = { ...everyRecord, stages: [{ kind: 'line_format', text: '{{.a}}' }] }
  const plainOf = (request: CollectorRequest, rows: readonly unknown[]) =>
    toldOf(selector, request)!.question!.plainOf(rows)
  const groups: CollectorRequest = { kind: 'groups', by: ['log_level', 'pattern'] }
  const texts = Array.from({ length: 10_001 }, (_, i) => ({ values: ['', `~x ${i}`], found: 1 }))
  t.equal(plainOf(groups, texts), undefined)
  t.equal((plainOf(groups, texts.slice(1)) as unknown[]).length, 10_000)
  t.equal(plainOf(groups, [{ values: ['', `~${'x'.repeat(5e6)}`], found: 1 }]), undefined)
  const times = { origin: 0, stepMs: 1, pointCount: 9, unwrap: undefined, quantile: undefined }
  const series = { kind: 'series', operation: 'count', ...times, by: ['pattern'] } as const
  const piecesOf = (count: number) => {
    return [
      { values: ['=own'], pieces: new Array(count).fill(0), counts: new Array(count).fill(1) },
    ]
  }
  t.equal(plainOf(series, piecesOf(5_000_001)), undefined)
  t.not(plainOf(series, piecesOf(3)), undefined)
  const kinds: CollectorRequest = { kind: 'patterns', bucketMs: 1, samples: 0 }
  const none = { levels: [[], []], services: [[], []], buckets: [[], []] }
  const row = { alike: 'x 0', found: 1, firstSeen: 1, lastSeen: 2, samples: ['x 7'], ...none }
  t.equal(await plainOf(kinds, [{ ...row, allFound: 2 }]), undefined)
  t.not(await plainOf(kinds, [{ ...row, allFound: 1 }]), undefined)
  const facets: CollectorRequest = {
    ...{ kind: 'facets', fields: ['pattern'] },
    wanted: { prefix: '', bounds: { countMax: 9, lengthMax: 99 } },
  }
  t.equal(toldOf(selector, facets), undefined, 'values of kinds are made of records')
})
