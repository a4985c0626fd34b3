import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { encodeFixedPoint, openFixedPoint } from '../../src/columns/fixed-point.ts'
import { encodeInteger, openInteger } from '../../src/columns/integer.ts'
import type { Matcher, Selector } from '../../src/language/ast.ts'
import { parseQuery } from '../../src/language/grammar.ts'
import { readQuantity } from '../../src/language/quantity.ts'
import { holds } from '../../src/match/condition.ts'
import { conditionOf } from '../../src/query/matcher-condition.ts'
import { Predicate } from '../../src/query/predicate.ts'
import { pruneBlock } from '../../src/query/prune.ts'
import { scanSources } from '../../src/query/scan.ts'
import { SourceReader } from '../../src/query/source-reader.ts'
import { streamLabels } from '../../src/record.ts'
import { BlockColumns } from '../../src/segment/block-columns.ts'
import type { BlockReader } from '../../src/segment/block-reader.ts'
import { columnOf } from '../columns/arbitraries.ts'
import { forAll } from '../for-all.ts'
import { longRuns } from '../long-runs.ts'
import { type StreamRecord, sealedBlocks } from '../segment/sealed.ts'
import { makeParts } from './parts.ts'
import { arbitrarySelector, matchesPlainly } from './plain.ts'
import { makeSources } from './sources.ts'

const ofAllTimes = {
  startTime: 0,
  endTime: 100,
  limit: 0,
  order: 'asc',
  after: undefined,
  collector: undefined,
} as const

t.test('a predicate selects from batches and blocks what the selector plainly means', async t => {
  const parts = makeParts(t.testdir())
  forAll(
    longRuns(600),
    fc.constantFrom(...parts),
    arbitrarySelector,
    ({ records, columns }, selector) => {
      const predicate = new Predicate(selector)
      const selected = predicate.select(columns, 0, 100) ?? new Uint8Array(records.length)
      const expected = Uint8Array.from(
        Array.from(records, (_, row) => {
          const record = columns.record(row)
          const stream = columns.streams[columns.streamCodes[row]!]!
          return matchesPlainly(selector, record, stream) ? 1 : 0
        }),
      )
      assert.deepEqual([...selected], [...expected])
      const count = predicate.count(columns)
      if (count !== undefined) assert.equal(count, expected.filter(mark => mark === 1).length)
      if (columns instanceof BlockColumns && pruneBlock(columns, predicate) !== undefined) {
        assert.ok(!expected.includes(1), 'a block that is pruned has no match')
      }
    },
  )
})

/** Streams are decided by the plan, which leaves out the blocks of others. */
function ofAnyStream({ alternatives = [], ...selector }: Selector): Selector {
  const isOfRecords = ({ label }: Matcher) => !Object.values<string>(streamLabels).includes(label)
  const first = { ...selector, matchers: selector.matchers.filter(isOfRecords) }
  if (alternatives.length === 0) return first
  const others = alternatives.map(one => ({ ...one, matchers: one.matchers.filter(isOfRecords) }))
  return { ...first, alternatives: others }
}

t.test('a scan of journal and segments counts what the selector plainly means', async t => {
  const { records, sources } = makeSources(t.testdir())
  const reader = new SourceReader(2 ** 20)
  const turn = {
    turnMs: Number.POSITIVE_INFINITY,
    longMs: Number.POSITIVE_INFINITY,
    cancelled: new Int32Array(1),
  }
  const task = { sources, rebuildsRecords: false, bound: undefined, turn }
  forAll(longRuns(300), arbitrarySelector.map(ofAnyStream), selector => {
    const query = { ...ofAllTimes, selector }
    const { count, stats } = scanSources({ query, ...task }, reader)
    const explained = scanSources({ query: { ...query, isExplained: true }, ...task }, reader)
    assert.deepEqual(explained.stats, stats, 'what is explained is what is read')
    const expected = records.filter(record => matchesPlainly(selector, record, record.stream))
    assert.equal(count, expected.length)
  })
  reader.trim()
})

t.test('columns of numbers compare numbers as their texts are compared', async () => {
  const many = { minLength: 1, maxLength: 40 }
  const numbersOfOneSize = fc.oneof(
    fc.array(fc.integer({ min: -3, max: 300 }), many),
    fc.array(fc.integer({ min: 100, max: 5_000 }), many),
    fc.array(fc.integer({ min: 0, max: 65_535 }), many),
    fc.array(fc.integer({ min: -1e6, max: 1e6 }), many),
    fc.array(fc.maxSafeInteger(), many),
    // More than are counted in one go.
    fc
      .tuple(fc.nat(40_000), fc.integer({ min: 65_530, max: 65_540 }))
      .map(([last, length]) => [...Array.from({ length }, (_, i) => i % 1_000), last]),
  )
  const quantities = ['0', '7', '-2', '150', '999', '2.5', '1e3', '0s', '5ms', '100B', '1KB']
  forAll(
    numbersOfOneSize,
    fc.constantFrom('==' as const, '!=', '<', '<=', '>', '>='),
    fc.constantFrom(...quantities),
    fc.boolean(),
    (numbers, operator, text, hasDecimals) => {
      const { kind: unit, value } = readQuantity(text)!
      const condition = conditionOf({ label: 'n', operator, text, unit, value })
      const texts = numbers.map(n => (hasDecimals ? (n / 100).toFixed(2) : String(n)))
      const encoded = hasDecimals
        ? encodeFixedPoint(columnOf(texts))
        : encodeInteger(columnOf(texts))
      if (encoded === undefined) return // Such as -0.00, or no text has decimals.
      const { meta, chunks } = encoded
      const open = hasDecimals ? openFixedPoint : openInteger
      const column = open(meta, texts.length, index => chunks[index]!)
      const hits = new Uint8Array(texts.length)
      column.markHits(condition, hits, undefined)
      const expected = texts.map(one => Number(holds(condition, one)))
      assert.deepEqual([...hits], expected)
      const passing = expected.filter(hit => hit === 1).length
      const count = column.countHits!(condition.test)
      assert.equal(unit === 'number' ? count : (count ?? passing), passing)
      if (expected.includes(1)) assert.notEqual(column.mayPass!(condition.test), false)
    },
  )
})

t.test('a block is left unread by the least and the greatest of its integers', async t => {
  const stream = { service: 'api', environment: 'prod' }
  const record = (i: number): StreamRecord => ({
    timestamp: i,
    level: 'info',
    message: `request ${i}`,
    attributes: i === 0 ? [] : ['ms', String(1000 + ((i * 7919) % 5000))],
    stream,
  })
  const records = Array.from({ length: 3000 }, (_, i) => record(i))
  const { columns, readers } = sealedBlocks(t.testdir(), [records])
  const [block] = columns as [BlockColumns]
  const [{ directory }] = readers as [BlockReader]
  t.equal(directory.columns.find(({ name }) => name === 'ms')!.encoding, 'integer')
  const prunes = (text: string) => {
    const query = parseQuery(`logs{${text}}`)
    return query.kind === 'selector' && pruneBlock(block, new Predicate(query))
  }
  for (const text of ['ms > 6000', 'ms < 1000', 'ms = 999', 'ms = 1e9', 'ms="999"']) {
    t.equal(prunes(text), 'filter', text)
  }
  for (const text of [
    'ms > 5000',
    'ms <= 1001',
    'ms != 5',
    'ms!="999"',
    'ms in ("", "999")',
    'ms=""',
  ]) {
    t.equal(prunes(text), undefined, text)
  }
})

t.test('words are found in templates of messages, whatever the case', async t => {
  const stream = { service: 'api', environment: 'prod' }
  const records = Array.from({ length: 3000 }, (_, i): StreamRecord => {
    const message = `${['GET', 'get', 'Post'][i % 3]} /Api/v${i % 7}/item-${i * 7919} of 10.0.${i % 255}.1`
    return { timestamp: i, level: 'info', message, attributes: ['id', `Trace-${i * 31}`], stream }
  })
  const { columns, readers } = sealedBlocks(t.testdir(), [records])
  const [block] = columns as [BlockColumns]
  const [{ directory }] = readers as [BlockReader]
  t.equal(directory.columns.find(({ role }) => role === 'message')!.encoding, 'template')
  for (const text of [
    'get /api',
    'ITEM-7919',
    '10.0.3.1 ',
    ' OF 10.0.3.1',
    'trace-31',
    '-',
    '/V6/',
    'Ṕ',
  ]) {
    for (const isNegated of [false, true]) {
      const selector = {
        kind: 'selector',
        matchers: [],
        filters: [],
        searches: [{ text, isNegated }],
      } as const
      const selected = new Predicate(selector).select(block, 0, 5000) ?? []
      const expected = records.filter(record => matchesPlainly(selector, record, stream)).length
      t.equal(selected.filter(mark => mark === 1).length, expected, `${text}: ${expected}`)
    }
  }
})
