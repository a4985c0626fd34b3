/** What SQL says of a selector: for every record that matches, and where it is exact for no other. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { everyRecord, type Matcher, type Selector } from '../../src/language/ast.ts'
import { readQuantity } from '../../src/language/quantity.ts'
import { quoted } from '../../src/match/condition.ts'
import { conditionOf } from '../../src/store/clickhouse/sql/condition.ts'
import { longRow, longRuns } from '../long-runs.ts'
import {
  arbitraryRecord,
  arbitrarySelector,
  arbitraryStream,
  matchesPlainly,
  object,
} from '../query/plain.ts'
import { arbitraryStaged, arbitraryStages, throughPlainly } from '../query/stages/plain.ts'
import type { EngineProcess } from './engine-process.ts'
import { hostileText } from './hostile.ts'
import { engineMissing } from './installed-engine.ts'
import { hostileQuantities } from './quantities.ts'
import { sharedEngine } from './shared-engine.ts'
import { makeTable, rowsOf, type Stored } from './table.ts'

const skip = engineMissing ?? false

/** Sequences of the rows that meet the selector's condition, and whether they all match. */
async function found(engine: EngineProcess, selector: Selector) {
  const { sql, params, isExact } = conditionOf(selector, false)
  const query = `SELECT Sequence AS at FROM otel_logs WHERE ${sql} ORDER BY Sequence`
  const rows = await rowsOf<{ at: number | string }>(engine, query, params)
  return { places: rows.map(({ at }) => Number(at)), isExact }
}

/** What is wrong with what SQL finds; undefined when nothing is. */
async function wrong(engine: EngineProcess, stored: readonly Stored[], selector: Selector) {
  const { places, isExact } = await found(engine, selector)
  const inSql = new Set(places)
  const differing = stored.findIndex(({ record, stream }, at) => {
    const matches = matchesPlainly(selector, record, stream)
    return matches ? !inSql.has(at) : isExact && inSql.has(at)
  })
  const { sql, params } = conditionOf(selector, false)
  return differing === -1 ? undefined : { record: stored[differing], isExact, sql, params }
}

t.test('random selectors over random records', { skip }, async t => {
  const engine = await sharedEngine(t)
  const one = fc.record({ record: arbitraryRecord, stream: arbitraryStream })
  const seed = 22
  const stored = fc.sample(one, { numRuns: 400, seed })
  await makeTable(engine, stored)
  let exact = 0
  let asked = 0
  await fc.assert(
    fc.asyncProperty(arbitrarySelector, async selector => {
      const fault = await wrong(engine, stored, selector)
      assert.equal(fault, undefined)
      asked++
      if (conditionOf(selector, false).isExact) exact++
    }),
    longRuns(1_000),
  )
  t.ok(exact > 0.33 * asked, `${exact} of ${asked} are exact`)
})

t.test('stages: none that comes through is left there', { skip }, async t => {
  const engine = await sharedEngine(t)
  const stored = fc
    .sample(arbitraryStaged, { numRuns: 400, seed: 22 })
    .map((record): Stored => ({ record, stream: record.stream }))
  await makeTable(engine, stored)
  let [through, fetched, asked] = [0, 0, 0]
  await fc.assert(
    fc.asyncProperty(arbitraryStages, async stages => {
      const { places, isExact } = await found(engine, { ...everyRecord, stages })
      assert.equal(isExact, false)
      const inSql = new Set(places)
      for (const [at, { record, stream }] of stored.entries()) {
        if (throughPlainly(stages, { ...record, stream }) === undefined) continue
        assert.ok(
          inSql.has(at),
          JSON.stringify({ record, sql: conditionOf({ ...everyRecord, stages }, false) }),
        )
        through++
      }
      fetched += places.length
      asked += stored.length
    }),
    longRuns(1_000),
  )
  t.ok(through <= fetched && fetched < asked, `${through}, ${fetched} of ${asked} are fetched`)
})

/** Letters of which one case is another kind of letter, numbers of every form, what SQL would read. */
const texts = [
  ...['273 K', '273 \u212a', 'Kelvin', 'İstanbul', 'ISTANBUL', 'tKİ', 'ſign', 'sign', 'SIGN', 'ki'],
  ...[
    'straße',
    'STRASSE',
    'ΑΣ',
    'ας',
    'ασ',
    'é',
    'É',
    'e\u0301',
    'ǰ',
    '\ufffd',
    '\u{1f600}',
    '\0',
    'a\0b',
  ],
  ...[
    '5',
    '+5',
    '-5',
    '.5',
    '5.',
    '1e3',
    '1E+3',
    '1e400',
    '-1e400',
    '1e-400',
    '5e-324',
    '-0',
    '0x10',
  ],
  ...[
    '9007199254740993',
    '123456789012345678901234567890',
    '0.1',
    '0.30000000000000004',
    'inf',
    'nan',
  ],
  ...[
    '1e23',
    '6929495644600919.5',
    `1${'0'.repeat(400)}`,
    '00012',
    ' 5',
    '5 ',
    '5\n',
    '1_000',
    '٣',
  ],
  ...['5ms', '1h30m', '5KB', '1.5 MiB', '0s', '1.2.3.4', '::1', 'fe80::1', '10.0.0.1:80'],
  ...[
    "it's",
    "\\'",
    '\\',
    '"',
    '`',
    '%',
    '_',
    'a_b',
    'a%b',
    '\t\n\r',
    '\u2028',
    '{p0:String}',
    '--',
    '/*',
  ],
  ...[
    "'); DROP TABLE otel_logs; --",
    "' OR 1 = 1 --",
    '\\x41',
    '\\N',
    'NULL',
    '$1',
    '\\0',
    '?',
    'x',
  ],
  ...[
    'line\nline',
    'a\n',
    '\na',
    'aaa',
    'a.c',
    'abc',
    'a\nc',
    '[a]',
    '',
    'xx',
    'word word',
    'x'.repeat(9_000),
  ],
]

const expressions = [
  ...[
    'a.c',
    'a.?c',
    '(?s)a.c',
    'a\\nc',
    '^a',
    'a$',
    '(?m)^a',
    '(?m)line$',
    '\\Aa',
    'a\\z',
    '^$',
    '$',
    '',
    '.',
    '.*',
  ],
  ...[
    '(?i)k',
    '(?i)KELVIN',
    '(?i)s',
    '(?i)sign',
    '[^a]',
    '[^\\n]+',
    '\\s',
    '\\S+',
    '\\w+',
    '\\W',
    '\\bword\\b',
  ],
  ...[
    '\\Bord',
    'x{3}',
    'x{2,}?',
    'a|abc',
    '(a|ab)(c|bcd)*',
    '(?:)',
    "'",
    '\\\\',
    '\\.',
    '[\\]\\[]',
    '\\pL',
    '\\PL+',
  ],
  ...[
    'é',
    '(?i)é',
    '[à-ü]',
    '\u{1f600}',
    '[\u{1f600}]',
    '\\x{e9}',
    '\\x41',
    '\\Qa.c\\E',
    '\\Qa.c',
    '\\d+',
    '[[:alpha:]]+',
  ],
  ...[
    '(?i)[a-z]+',
    '(?U)x+',
    'a{0}',
    '(a*)*',
    '\ufffd',
    '\0',
    'it.s',
    '%',
    '[^x]*',
    '(?-s).',
    '(?i:K)elvin',
    '\\D',
  ],
  ...['(?P<a_b>[a-z])', 'k(?<a_>.)', '[]a]', '[^]x]+', '(?P<x_1>1|2)|(?P<y_2>a.b)'],
]

/** Each of some values against each text. */
function askedOf(texts: readonly string[]): readonly Selector[] {
  const matchers = (value: string): Matcher[] => [
    { label: 'a', operator: '=', value },
    { label: 'a', operator: '!=', value },
    { label: 'message', operator: 'in', values: [value, 'x'] },
    { label: 'a', operator: 'not in', values: [value, ''] },
    ...(['==', '!=', '>', '>=', '<', '<='] as const).flatMap((operator): Matcher[] => {
      const quantity = readQuantity(value)
      if (quantity === undefined) return []
      return [{ label: 'a', operator, text: value, unit: quantity.kind, value: quantity.value }]
    }),
  ]
  const ofTexts = texts.flatMap((value): Selector[] => [
    ...matchers(value).map(matcher => ({ ...everyRecord, matchers: [matcher] })),
    { ...everyRecord, searches: [{ text: value, isNegated: false }] },
    { ...everyRecord, searches: [{ text: value, isNegated: true }] },
    { ...everyRecord, filters: [{ operator: '|=', text: value }] },
    { ...everyRecord, filters: [{ operator: '!=', text: value, others: ['x'] }] },
  ])
  const ofExpressions = expressions.flatMap((value): Selector[] => [
    { ...everyRecord, matchers: [{ label: 'a', operator: '=~', value }] },
    { ...everyRecord, matchers: [{ label: 'a', operator: '!~', value }] },
    { ...everyRecord, filters: [{ operator: '|~', text: value }] },
    { ...everyRecord, filters: [{ operator: '!~', text: value, others: ['x'] }] },
  ])
  return [...ofTexts, ...ofExpressions]
}

t.test('odd letters, numbers and signs, each asked for in every way', { skip }, async t => {
  const engine = await sharedEngine(t)
  const all = [...texts, ...hostileQuantities]
  const stored = all.map((text, i): Stored => {
    const attributes = ['a', text, ...(i % 3 === 0 ? ['b', all[i + 1] ?? ''] : [])]
    const record = { timestamp: 0, level: 'info', message: all.at(-i)!, attributes }
    return { record, stream: { service: 'api', environment: 'prod' } }
  })
  await makeTable(engine, stored)
  const asked = [...texts, '0.6s', '1y', '-1.5h', '3KB', '5B', '1EiB']
  for (const selector of longRow(askedOf(asked))) {
    assert.equal(await wrong(engine, stored, selector), undefined)
  }
  t.pass()
})

/** In every place of a selector that a text may have. */
const hostileSelector: fc.Arbitrary<Selector> = fc
  .tuple(hostileText, hostileText, hostileText)
  .chain(([label, value, other]) =>
    fc.constantFrom<Selector>(
      { ...everyRecord, matchers: [{ label, operator: '=', value }] },
      { ...everyRecord, matchers: [{ label, operator: '!~', value: quoted(value) }] },
      { ...everyRecord, matchers: [{ label, operator: 'in', values: [value, other] }] },
      { ...everyRecord, matchers: [{ label: 'message', operator: '=~', value: quoted(value) }] },
      {
        ...everyRecord,
        matchers: [{ label: 'service.name', operator: 'not in', values: [value] }],
      },
      { ...everyRecord, matchers: [{ label: 'log_level', operator: '!=', value }] },
      { ...everyRecord, filters: [{ operator: '|=', text: value, others: [other] }] },
      { ...everyRecord, filters: [{ operator: '!~', text: quoted(value) }] },
      { ...everyRecord, filters: [{ operator: '|>', text: `${value}<_>${other}` }] },
      { ...everyRecord, searches: [{ text: value, isNegated: true }] },
    ),
  )

t.test('no text changes a statement, whatever is in it', { skip }, async t => {
  const engine = await sharedEngine(t)
  const one = object({
    record: object({
      timestamp: fc.constant(0),
      level: hostileText,
      message: hostileText,
      attributes: fc.tuple(hostileText, hostileText).map(texts => [...texts]),
    }),
    stream: object({ service: hostileText, environment: hostileText }),
  })
  const stored = fc.sample(one, { numRuns: 200, seed: 22 })
  await makeTable(engine, stored)
  const tables = await engine.ask('SHOW TABLES')
  const names = stored.map(({ record }) => record.attributes[0]!)
  const named = fc.constantFrom(...names).map(label => ({ label }))
  const selectors = fc
    .tuple(hostileSelector, fc.oneof(named, fc.constant({})))
    .map(([selector, more]): Selector => {
      const matchers = selector.matchers.map(matcher => ({ ...matcher, ...more }))
      return { ...selector, matchers }
    })
  await fc.assert(
    fc.asyncProperty(selectors, async selector => {
      assert.equal(await wrong(engine, stored, selector), undefined)
    }),
    longRuns(500),
  )
  t.equal(await engine.ask('SHOW TABLES'), tables)
  t.equal(await engine.ask('SELECT count() FROM otel_logs'), `${stored.length}\n`)
})
