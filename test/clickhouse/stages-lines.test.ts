/**
 * Parsers of lines in SQL, over lines that are made to be read in two ways: keys at several depths, several
 * times, written with escapes; pairs without values.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { everyRecord } from '../../src/language/ast.ts'
import type { Stage } from '../../src/language/stage.ts'
import type { CollectorRequest } from '../../src/query/collect/collector.ts'
import { labelSetName } from '../../src/query/stages/staged-columns.ts'
import { longRuns } from '../long-runs.ts'
import { object } from '../query/plain.ts'
import { sameBothWays, Tally } from './both-ways.ts'
import { engineMissing } from './installed-engine.ts'
import { sharedEngine } from './shared-engine.ts'
import { makeTable, type Stored } from './table.ts'

const skip = engineMissing ?? false
const some = <T>(...values: T[]) => fc.constantFrom(...values)
const everything = { every: 1, first: 0 }
const json = String.raw

const values = some(
  ...['1', '500', '-0.50', '1e3', 'null', 'true', '[]', '[1,{"a":2},"x"]', '{}', '""', '"x"'],
  ...[json`"a\"b"`, json`"\\"`, json`"\u00e9\u0000"`, json`"\ud83d\ude00"`, json`"\ud800"`],
  ...[json`"\n\t\/\b"`, '"{\\"a\\":1}"', '"null"', '"},{"', '"]"', json`"\":{"`, '[[1],[2,3]]'],
)
const keys = some(
  ...[
    'a',
    'a',
    'b',
    'a_b',
    'a.b',
    json`a\/b`,
    json`a\"b`,
    json`a\\b`,
    json`\u0061`,
    'a_b_c',
    'b-c',
  ],
  ...['c', '_entry', '', '_', '-', 'error', '_error__', json`\/\/error__`, '__error__', 'é', '1'],
)
const blanks = some('', '', '', ' ', '\n\t', '\r')

const jsonLine = fc
  .letrec<{ object: string; array: string; value: string }>(tie => ({
    object: fc
      .tuple(fc.array(fc.tuple(keys, blanks, tie('value')), { maxLength: 4 }), blanks)
      .map(([members, blank]) => {
        const texts = members.map(
          ([key, between, value]) => `"${key}"${between}:${between}${value}`,
        )
        return `{${blank}${texts.join(`${blank},${blank}`)}${blank}}`
      }),
    array: fc
      .tuple(fc.array(tie('value'), { maxLength: 3 }), blanks)
      .map(([items, blank]) => `[${blank}${items.join(`${blank},`)}${blank}]`),
    value: fc.oneof(
      { maxDepth: 4 },
      { weight: 3, arbitrary: values },
      { weight: 2, arbitrary: tie('object') },
      tie('array'),
    ),
  }))
  .object.chain(text => some(text, text, text, ` ${text}\n`, text.slice(0, -1), `${text}x`))

const deepLine = fc
  .tuple(fc.integer({ min: 5, max: 12 }), some('{"b":', '['))
  .map(([depth, begin]) => {
    const end = begin === '[' ? ']' : '}'
    return `{"c":${begin.repeat(depth)}1${end.repeat(depth)},"a":1}`
  })

const packedLine = fc
  .tuple(
    fc.array(fc.tuple(keys, values), { maxLength: 2 }),
    some('x', '{"a":1}', '', 'a=1', 'é"\\\n'),
  )
  .map(([members, entry]) => {
    const texts = members.map(([key, value]) => `"${key}":${value}`)
    return `{${[...texts, `"_entry":${JSON.stringify(entry)}`].join(',')}}`
  })

const pairs = fc
  .array(
    fc.tuple(
      some('a', 'b', 'c', 'a_b', 'a.b', 'ab', 'a"', '__error__', 'é', '\\'),
      some('', '', '=', '=1', '=500', '=""', '="a b"', '="a=1 b"', json`="a\"b"`, json`="\\"`),
      some('', '', '', '=', json`\n`, '"'),
      some(' ', ' ', '  ', '\n', '\t', '\v', '\u00a0'),
    ),
    { maxLength: 5 },
  )
  .map(all => all.flat().join(''))

const lines = fc.oneof(
  { weight: 6, arbitrary: jsonLine },
  { weight: 5, arbitrary: pairs },
  { weight: 2, arbitrary: packedLine },
  deepLine,
  // Of a key that is there twice the last that is a text counts; at a path, the last.
  some(
    '{"a":1,"a":null}',
    '{"a":{"b":1},"a":{"b":[]}}',
    '{"a_b":1,"a":{"b":2}}',
    '{"a":[1],"a":2}',
  ),
  some('', 'x', '[]', '[{"a":1}]', '"a"', 'null', `{"a":${'[1,'.repeat(3)}2${']'.repeat(3)}}`),
)

const stored: fc.Arbitrary<Stored> = object({
  record: object({
    timestamp: fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_009 }),
    level: some('info', ''),
    message: lines,
    attributes: some<string[]>([], [], [], ['a', '7'], ['a.b', ''], ['b', 'x']),
  }),
  stream: some({ service: 'api', environment: 'prod' }),
})

const paths = some(
  ...['a', 'b', 'a.b', 'a.a', 'b.c', 'a[0]', 'a[1].a', '[0]', 'c[2]', '["a.b"]', '["é"]', '[""].a'],
  ...[json`["a\"b"]`, 'c', 'a[7]', 'a[1][0]', 'b["-"]'],
)
const extractions = fc.array(object({ label: some('a', 'x', 'y'), path: paths }), {
  minLength: 1,
  maxLength: 2,
})
const parser: fc.Arbitrary<Stage> = fc.oneof(
  { weight: 2, arbitrary: some<Stage>({ kind: 'json', extractions: [] }) },
  { weight: 2, arbitrary: extractions.map((made): Stage => ({ kind: 'json', extractions: made })) },
  { weight: 2, arbitrary: some<Stage>({ kind: 'unpack' }) },
  {
    weight: 3,
    arbitrary: object({
      kind: some('logfmt' as const),
      extractions: fc.oneof(
        some([]),
        fc.array(object({ label: some('a', 'x'), path: some('a', 'b', 'a.b', 'a=', '', 'a"') }), {
          minLength: 1,
          maxLength: 2,
        }),
      ),
      isStrict: fc.boolean(),
      keepsEmpty: fc.boolean(),
    }),
  },
)
const labels = some('a', 'b', 'c', 'a_b', 'a_b_c', 'x', 'y', '__error__', 'a_extracted', 'message')

t.test('parsers of hostile lines', { skip }, async t => {
  const engine = await sharedEngine(t)
  const all = fc.sample(stored, { numRuns: 1_000, seed: 22 })
  await makeTable(engine, all)
  const asked = new Tally()
  const stages = fc.array(parser, { minLength: 1, maxLength: 2 })
  const by = fc.uniqueArray(labels, { minLength: 1, maxLength: 2 })
  await fc.assert(
    fc.asyncProperty(stages, by, async (stages, by) => {
      const request = { kind: 'groups', by } as const
      asked.add(await sameBothWays(engine, all, request, everything, { ...everyRecord, stages }))
    }),
    longRuns(300),
  )
  const text = JSON.stringify(asked)
  t.ok(asked.told > 0 && asked.matching > 0, text)
  // Most is told there.
  assert.ok(asked.left > 0 && asked.left < 0.6 * asked.matching, text)
  t.comment(text)
})

const chosen = fc.uniqueArray(some('a', 'b', 'x', 'service_name', 'environment'), { minLength: 1 })
const naming: fc.Arbitrary<Stage> = fc.oneof(
  object({ kind: some('keep' as const, 'drop' as const), labels: chosen }),
  some<Stage>(
    { kind: 'label_format', assignments: [{ label: 'x', from: 'a' }] },
    { kind: 'label_format', assignments: [{ label: 'environment', template: '' }] },
    { kind: 'regexp', text: '(?P<service_name>[a-z])(?P<y>.)?' },
    { kind: 'drop', labels: ['__error__'] },
  ),
)
const times = { origin: 1_699_999_999_990, stepMs: 7, pointCount: 20, rangeMs: 7 }
const series = { kind: 'series', ...times, unwrap: undefined, quantile: undefined } as const
const allLabels: fc.Arbitrary<CollectorRequest> = fc
  .tuple(some('count_over_time' as const, 'bytes_rate' as const), fc.option(chosen))
  .map(([operation, without]) => {
    return { ...series, operation, by: [labelSetName(without ?? [])] }
  })

t.test('all labels of hostile lines together, and their names', { skip }, async t => {
  const engine = await sharedEngine(t)
  const all = fc.sample(stored, { numRuns: 300, seed: 23 }).map((one, at): Stored => {
    const stream = { service: at % 3 === 0 ? '' : 'api', environment: at % 5 === 0 ? '' : 'prod' }
    return { ...one, stream }
  })
  await makeTable(engine, all)
  const stages = fc
    .tuple(fc.array(naming, { maxLength: 1 }), parser, fc.array(fc.oneof(parser, naming)))
    .map(([before, one, after]) => [...before, one, ...after.slice(0, 2)])
  const ofSets = new Tally()
  const ofNames = new Tally()
  await fc.assert(
    fc.asyncProperty(stages, allLabels, async (stages, request) => {
      const selector = { ...everyRecord, stages }
      const names: CollectorRequest = { kind: 'fields', tooMany: 'refuse' }
      ofSets.add(await sameBothWays(engine, all, request, everything, selector))
      ofNames.add(await sameBothWays(engine, all, names, everything, selector))
    }),
    longRuns(75),
  )
  for (const asked of [ofSets, ofNames]) {
    const text = JSON.stringify(asked)
    t.ok(asked.told > 0.5 * asked.asked && asked.left < 0.7 * asked.matching, text)
    t.comment(text)
  }
})
