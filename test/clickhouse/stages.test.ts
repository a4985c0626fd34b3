/** What SQL says of records behind stages is what the stages make of them, wherever it says anything. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { patternOfMessage } from '../../src/columns/patterns/message-pattern.ts'
import { everyRecord, type Matcher, type Selector } from '../../src/language/ast.ts'
import type { Condition, Stage } from '../../src/language/stage.ts'
import type { CollectorRequest } from '../../src/query/collect/collector.ts'
import type { FacetsRequest } from '../../src/query/collect/facets.ts'
import { isLong, longRuns, share } from '../long-runs.ts'
import { object } from '../query/plain.ts'
import { bothWays, sameBothWays, Tally } from './both-ways.ts'
import { hostileText } from './hostile.ts'
import { engineMissing } from './installed-engine.ts'
import { sharedEngine } from './shared-engine.ts'
import { makeTable, type Stored } from './table.ts'

const skip = engineMissing ?? false
const some = <T>(...values: T[]) => fc.constantFrom(...values)
const everything = { every: 1, first: 0 }

/** As JSON has them: numbers of many forms, and what has escapes or none. */
const jsonValues = some(
  ...['1', '200', '500', '-0', '1.0', '1e3', '0.1E-2', '123456789012345678901', '1e999', '01'],
  ...['"x"', '""', '"500"', '"a b"', '"1.5s"', '"10KB"', '"3h2m"', '"5 MiB"', '"10.0.0.1"'],
  ...['"\\u0061"', '"q\\"status\\":1"', '"\\n"', '"é€😀"', '"JSONParserErr"', '"{\\"a\\":1}"'],
  ...['null', 'true', 'false', '[1]', '[]', '{}', '[{"status":7}]', '{"x":1}', '{"x":{"y":"z"}}'],
  ...['"status":2', 'nul', '+1', '"\t"', "'x'", '"a\\/b"', '"=b\\" a=c"'],
)
const jsonKeys = some(
  ...[
    'a',
    'status',
    'n',
    'in',
    'http',
    'x',
    'in_x',
    'in.x',
    'in-x',
    'in x',
    'in\\u005fx',
    'in\\/x',
  ],
  ...[
    '\\u0061',
    'http_status',
    'http.status',
    'status_extracted',
    '__error__',
    '',
    '1a',
    'é',
    'ms',
  ],
  ...['service.name', 'log_level', 'environment', 'level', 'in_x_y', 'x_y', 'st\\"status', 'b'],
  'pattern',
)
const blanks = some('', '', '', ' ', '\n ', '\t')

const jsonObject: fc.Arbitrary<string> = fc.letrec<{ object: string; value: string }>(tie => ({
  object: fc
    .tuple(fc.array(fc.tuple(jsonKeys, blanks, tie('value')), { maxLength: 5 }), blanks)
    .map(([members, blank]) => {
      const texts = members.map(([key, between, value]) => `"${key}"${between}:${between}${value}`)
      return `{${texts.join(`,${blank}`)}${blank}}`
    }),
  value: fc.oneof({ maxDepth: 3 }, { weight: 5, arbitrary: jsonValues }, tie('object')),
})).object

const logfmtLine = fc
  .array(
    fc.tuple(
      some(
        'a',
        'status',
        'n',
        'in.x',
        'in_x',
        'http-status',
        'ms',
        'b',
        '',
        '__error__',
        'x"y',
        'é',
      ),
      some('=', '=', '=', '', '=='),
      some(
        '1',
        '500',
        '"x y"',
        '"a=1 status=2"',
        'x',
        '',
        '""',
        '"a\\"b"',
        '1.5s',
        '"',
        '"x"y',
        'a=b',
      ),
      some(' ', ' ', '  ', '\t', '\u00a0', '\v', '\n'),
    ),
    { maxLength: 5 },
  )
  .map(parts => parts.flat().join(''))

const arbitraryLine = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(blanks, jsonObject, blanks).map(all => all.join('')) },
  { weight: 3, arbitrary: logfmtLine },
  { weight: 1, arbitrary: jsonObject.map(text => text.slice(0, -1)) },
  {
    weight: 2,
    arbitrary: some(
      ...[
        '',
        'GET /a 200 12ms',
        'a=1 b=2 rest',
        '[1,2]',
        '5',
        '"x"',
        'null',
        '\u001b[31mred\u001b[0m',
      ],
      ...['ip=10.0.0.1 - a', '\ufeff{"a":1}', '{"a":1}{"b":2}', 'x'.repeat(20_000), '1 2 3'],
      ...[
        `${'{"a":'.repeat(130)}1${'}'.repeat(130)}`,
        `{"a":${'['.repeat(100)}${']'.repeat(100)}}`,
      ],
    ),
  },
  { weight: 1, arbitrary: hostileText },
)

const ownNames = some(
  ...['status', 'a', 'in.x', 'in_x', 'http.status', 'b', 'n', 'a_extracted', 'service_name', 'x'],
  'pattern',
)
const texts = some('', '1', '500', 'x', '1.5s', '10KB', '10.0.0.1', 'error', 'a b', 'é', '007')

const arbitraryStored: fc.Arbitrary<Stored> = object({
  record: object({
    timestamp: fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_100 }),
    level: some('info', 'error', ''),
    message: arbitraryLine,
    attributes: fc
      .uniqueArray(fc.tuple(ownNames, texts), { maxLength: 3, selector: ([name]) => name })
      .map(pairs => pairs.flat()),
  }),
  stream: object({ service: some('api', 'worker', ''), environment: some('prod', '') }),
})

const labels = some(
  ...['a', 'status', 'n', 'in_x', 'http_status', 'b', 'ms', 'x', 'in_x_y', 'a_extracted', 'x_y'],
  ...['status_extracted', 'service_name', 'detected_level', 'environment', '__error__', 'in.x'],
  'pattern',
)
const textComparison = object({
  label: labels,
  operator: some('=' as const, '!=' as const),
  value: fc.oneof(texts, some('JSONParserErr', 'LabelFilterErr', 'api', 'z', '200', '1.0')),
})
const expressionComparison = object({
  label: labels,
  operator: some('=~' as const, '!~' as const),
  value: some('.*', '5..', 'x|1', '[0-9]+', '(?i)É', '\\pL+', '.+', 'a.*b', ''),
})
const quantities = [
  ...([
    ['number', '200', 200],
    ['number', '1', 1],
    ['duration', '1s', 1e9],
  ] as const),
  ...([
    ['duration', '2h', 7200e9],
    ['bytes', '1KB', 1e3],
    ['bytes', '5MiB', 5 * 2 ** 20],
  ] as const),
]
const quantityComparison = fc
  .tuple(labels, some('==', '!=', '>', '>=', '<', '<=') as fc.Arbitrary<'=='>, some(...quantities))
  .map(([label, operator, [unit, text, value]]): Condition => {
    return { kind: 'quantity', label, operator, unit, text, value }
  })
const comparison: fc.Arbitrary<Condition> = fc.oneof(
  { weight: 3, arbitrary: textComparison.map((made): Condition => ({ kind: 'text', ...made })) },
  {
    weight: 2,
    arbitrary: expressionComparison.map((made): Condition => ({ kind: 'text', ...made })),
  },
  { weight: 3, arbitrary: quantityComparison },
  fc.tuple(labels, some('=' as const, '!=' as const)).map(([label, operator]): Condition => {
    return { kind: 'address', label, operator, value: '10.0.0.0/8' }
  }),
)
const condition: fc.Arbitrary<Condition> = fc.oneof(
  { weight: 4, arbitrary: comparison },
  fc
    .tuple(
      some('and' as const, 'or' as const),
      fc.array(comparison, { minLength: 2, maxLength: 3 }),
    )
    .map(([kind, conditions]): Condition => ({ kind, conditions })),
  comparison.map((condition): Condition => ({ kind: 'not', condition })),
)
const choice = fc.array(fc.oneof(labels, textComparison, expressionComparison), {
  minLength: 1,
  maxLength: 3,
})
const extractions = fc.uniqueArray(
  object({
    label: labels.filter(one => one !== '__error__'),
    path: some('a', 'status', 'in.x', 'http.status', 'x', 'in', '["in.x"]', 'a[0]'),
  }),
  { minLength: 1, maxLength: 2, selector: ({ label }) => label },
)
const templates = some(
  '{{.a}}-{{.n}}',
  '{{.status}}',
  'x',
  '{"a":"{{.b}}","status":{{.status}}}',
  '{{.a | ToUpper}}',
)

const arbitraryStage: fc.Arbitrary<Stage> = fc.oneof(
  { weight: 5, arbitrary: condition.map((condition): Stage => ({ kind: 'filter', condition })) },
  { weight: 3, arbitrary: some<Stage>({ kind: 'json', extractions: [] }) },
  extractions.map((extractions): Stage => ({ kind: 'json', extractions })),
  {
    weight: 2,
    arbitrary: object({
      kind: some('logfmt' as const),
      extractions: fc.oneof(
        some([]),
        some([
          { label: 'a', path: 'status' },
          { label: 'z', path: 'in.x' },
        ]),
      ),
      isStrict: fc.boolean(),
      keepsEmpty: some(false, false, false, true),
    }),
  },
  object({
    kind: some('regexp' as const),
    text: some(
      ...[
        '(?P<a>[0-9]+)',
        '"status":(?P<n>[^,}]*)',
        '(?P<x>a)=(?P<b>.)?',
        '^(?P<a>\\S+) (?P<ms>.*)$',
      ],
      ...[
        '(?P<a>\\pL+)',
        '(?P<in_x>[a-z])[]:]?',
        '(?P<log_level>x)|(?P<detected_level>y)|(?P<n>z)',
        '(?P<status>a*)',
      ],
    ),
  }),
  object({
    kind: some('pattern' as const),
    text: some(
      '<a> <_> <status>',
      'a=<a> b=<b> <x>',
      '<_>"status":<n>,',
      'GET <a>',
      '<a>=<_>=<b>',
      '<n>.',
    ),
  }),
  object({ kind: some('line_format' as const), text: templates }),
  fc
    .array(
      fc.oneof(
        object({ label: labels.filter(one => one !== '__error__'), from: labels }),
        object({ label: labels.filter(one => one !== '__error__'), template: templates }),
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((assignments): Stage => ({ kind: 'label_format', assignments })),
  choice.map((labels): Stage => ({ kind: 'keep', labels })),
  choice.map((labels): Stage => ({ kind: 'drop', labels })),
  some<Stage>({ kind: 'decolorize' }),
  object({
    kind: some('line' as const),
    filter: object({
      operator: some('|=', '!=', '|~', '!~') as fc.Arbitrary<'|='>,
      text: some('a', '500', 'x', '"status":', '200'),
    }),
  }),
)

const allFields = { kind: 'fields' as const, tooMany: 'refuse' as const }

const arbitraryFacets: fc.Arbitrary<CollectorRequest> = object({
  kind: some('facets' as const),
  fields: fc.uniqueArray(
    fc.oneof(
      { weight: 6, arbitrary: labels },
      some('message', 'service.name', 'log_level', 'http.status', 'no such', ''),
    ),
    { minLength: 1, maxLength: 5 },
  ),
  wanted: object({
    prefix: some('', '', '5', 'a', '{'),
    bounds: some({ countMax: 1_000, lengthMax: 1e6 }, { countMax: 4, lengthMax: 40 }),
  }),
})

const arbitraryRequest: fc.Arbitrary<CollectorRequest> = fc.oneof(
  object({
    kind: some('groups' as const),
    by: fc.uniqueArray(
      fc.oneof(
        { weight: 6, arbitrary: labels },
        some('message', 'service.name', 'log_level', 'pattern'),
      ),
      { maxLength: 3 },
    ),
  }),
  object({
    kind: some('firsts' as const),
    labels: fc.uniqueArray(labels, { minLength: 1, maxLength: 2 }),
    order: some('asc' as const, 'desc' as const, 'latest' as const),
  }),
  object({ kind: some('histogram' as const), bucketMs: some(7) }),
  { weight: 3, arbitrary: arbitraryFacets },
  { weight: 3, arbitrary: some(allFields) },
  {
    weight: 2,
    arbitrary: object({ kind: some('patterns' as const), bucketMs: some(7), samples: some(2) }),
  },
  fc
    .tuple(
      object({
        kind: some('series' as const),
        operation: some(
          'sum_over_time',
          'quantile_over_time',
          'count_over_time',
          'bytes_over_time',
          'last_over_time',
          'count_distinct',
        ) as fc.Arbitrary<'sum_over_time'>,
        by: fc.uniqueArray(fc.oneof({ weight: 6, arbitrary: labels }, some('pattern')), {
          maxLength: 1,
        }),
        unwrap: labels,
        quantile: some(0.5),
        ...{
          origin: some(1_699_999_999_900),
          stepMs: some(30),
          pointCount: some(20),
          rangeMs: some(30),
        },
      }),
      some(undefined, undefined, 'duration' as const, 'bytes' as const),
    )
    .map(([request, unwrapUnit]) => ({ ...request, ...(unwrapUnit && { unwrapUnit }) })),
)

/** Of some kinds of messages, as records come, or of all others. */
function kindMatcher(ids: readonly string[]): fc.Arbitrary<Matcher[]> {
  const values = fc.uniqueArray(some(...ids), { minLength: 20, maxLength: 60 })
  return fc.tuple(values, some('in' as const, 'not in' as const)).map(([values, operator]) => {
    return [{ label: 'pattern', operator, values }]
  })
}

t.test('random stages over hostile lines', { skip }, async t => {
  const engine = await sharedEngine(t)
  const stored = fc.sample(arbitraryStored, { numRuns: 300, seed: 22 })
  await makeTable(engine, stored)
  const stages = fc.array(arbitraryStage, { minLength: 1, maxLength: 5 })
  const seen = new Tally()
  const ids = stored.map(({ record }) => patternOfMessage(record.message).id)
  const matchers = fc.oneof({ weight: 4, arbitrary: some([]) }, kindMatcher(ids))
  await fc.assert(
    fc.asyncProperty(matchers, stages, arbitraryRequest, async (matchers, stages, request) => {
      const selector: Selector = { ...everyRecord, matchers, stages }
      seen.add(await sameBothWays(engine, stored, request, everything, selector))
    }),
    longRuns(400),
  )
  const text = JSON.stringify(seen)
  t.ok(seen.told > 0.3 * seen.asked && seen.matching > 0, `questions that are told: ${text}`)
  assert.ok(seen.left > 0)
})

const anyParser = some<Stage>(
  { kind: 'json', extractions: [] },
  { kind: 'logfmt', extractions: [], isStrict: false, keepsEmpty: false },
)

t.test('fields of hostile lines, and their values', { skip }, async t => {
  const engine = await sharedEngine(t)
  const stored = fc.sample(arbitraryStored, { numRuns: 300, seed: 23 })
  await makeTable(engine, stored)
  const one = fc.oneof(
    { weight: 3, arbitrary: anyParser },
    { weight: 2, arbitrary: choice.map((labels): Stage => ({ kind: 'keep', labels })) },
    { weight: 2, arbitrary: choice.map((labels): Stage => ({ kind: 'drop', labels })) },
    { weight: 3, arbitrary: arbitraryStage },
  )
  const stages = fc.array(one, { minLength: 1, maxLength: 4 })
  const manyFields = fc.shuffledSubarray(
    ['a', 'status', 'in_x', 'in.x', 'http_status', 'x', 'b', 'n', 'a_extracted', 'x_y', '_1a'],
    { minLength: 4 },
  )
  const many = fc.tuple(arbitraryFacets, manyFields).map(([request, fields]) => ({
    ...(request as FacetsRequest),
    fields: [...fields, 'ms', 'message', 'pattern', '__error_details__', 'detected_level'],
  }))
  const request = fc.oneof(arbitraryFacets, many, some(allFields))
  const seen = { fields: 0, facets: 0, left: 0, matching: 0 }
  await fc.assert(
    fc.asyncProperty(stages, request, async (stages, request) => {
      const selector: Selector = { ...everyRecord, stages }
      const found = await sameBothWays(engine, stored, request, everything, selector)
      if (found === undefined) return
      seen[request.kind as 'fields']++
      seen.matching += found.matching
      seen.left += found.left
    }),
    longRuns(400),
  )
  const runs = share(400)
  // In a fifth of all runs chance decides more.
  const [fieldsMin, facetsMin] = isLong ? [0.2, 0.15] : [0.1, 0.1]
  const isMuchTold = seen.fields > fieldsMin * runs && seen.facets > facetsMin * runs
  t.ok(isMuchTold && seen.left < 0.7 * seen.matching, `what is told: ${JSON.stringify(seen)}`)

  const sample = { kind: 'fields' as const, tooMany: 'forget-rare' as const, sample: 5 }
  const stage: Stage = { kind: 'drop', labels: ['nowhere'] }
  const looked = await bothWays(engine, stored, sample, everything, {
    ...everyRecord,
    stages: [stage],
  })
  t.equal(looked!.left, 0)
  const counts = (looked!.counted as string[]).map((one): number => JSON.parse(one)[1])
  t.ok(counts.length > 0 && Math.max(...counts) <= 5, `of 5 records: ${counts}`)
})

t.test('kinds of lines that are as they came are told, and of others', { skip }, async t => {
  const engine = await sharedEngine(t)
  const stored = fc.sample(arbitraryStored, { numRuns: 300, seed: 23 })
  await makeTable(engine, stored)
  const request: CollectorRequest = { kind: 'patterns', bucketMs: 7, samples: 1 }
  const keeping: Stage[] = [{ kind: 'keep', labels: ['status'] }]
  for (const stages of [keeping, [{ kind: 'json', extractions: [] }], [{ kind: 'decolorize' }]]) {
    const selector = { ...everyRecord, stages: stages as Stage[] }
    const found = await sameBothWays(engine, stored, request, everything, selector)
    assert.ok(found !== undefined && found.left > 0, JSON.stringify(stages))
    assert.ok(found.left < found.matching / 2, `${found.left} of ${found.matching} are left`)
  }
  const changed: Stage = { kind: 'line_format', text: '{{.status}} of {{.a}}' }
  const selector = { ...everyRecord, stages: [changed] }
  const found = await sameBothWays(engine, stored, request, everything, selector)
  assert.equal(found?.left, 0)
})

t.test('an empty text is no field, and one that is deep is read by us', { skip }, async t => {
  const engine = await sharedEngine(t)
  const deep = '{"d":{"d":{"d":{"d":{"d":1}}}}}'
  const lines = [
    '{"a":"","b":1}',
    '{"a":"x","in":{"x":""}}',
    '{"a": "","b":null}',
    '{"c":[1]}',
    deep,
  ]
  const stored = lines.map((message, at): Stored => {
    const attributes = at === 0 ? ['a', ''] : []
    const record = { timestamp: 1_700_000_000_000 + at, level: 'info', message, attributes }
    return { record, stream: { service: 'api', environment: '' } }
  })
  await makeTable(engine, stored)
  const selector: Selector = { ...everyRecord, stages: [{ kind: 'json', extractions: [] }] }
  const found = await sameBothWays(engine, stored, allFields, everything, selector)
  t.equal(found?.left, 1, 'the deep one')
  t.same(found?.counted, ['["a",1]', '["b",1]', '["d_d_d_d_d",1]'])

  const twice = [...selector.stages!, ...selector.stages!]
  const wanted = { prefix: '', bounds: { countMax: 9, lengthMax: 99 } }
  const facets: CollectorRequest = { kind: 'facets', fields: ['a', 'b', 'c', 'in_x'], wanted }
  const read = await sameBothWays(engine, stored, facets, everything, {
    ...selector,
    stages: twice,
  })
  t.equal(read?.left, 1, 'what two parsers find counts once')
})

t.test('a sender may have attributes named as errors are', { skip }, async t => {
  const engine = await sharedEngine(t)
  const lines = ['{"a":1}', 'no JSON']
  const named = [
    [],
    ['__error__', 'own'],
    ['__error__', ''],
    ['..error--', 'own'],
    ['__error_details__', 'x'],
  ]
  const stored = named.flatMap((attributes, at) =>
    lines.map((message): Stored => {
      const record = { timestamp: 1_700_000_000_000 + at, level: 'info', message, attributes }
      return { record, stream: { service: 'api', environment: '' } }
    }),
  )
  await makeTable(engine, stored)
  const json: Stage = { kind: 'json', extractions: [] }
  const ofError = (operator: '=' | '!=', value: string): Stage => ({
    kind: 'filter',
    condition: { kind: 'text', label: '__error__', operator, value },
  })
  const wanted = { prefix: '', bounds: { countMax: 9, lengthMax: 99 } }
  const asked: CollectorRequest[] = [
    { kind: 'groups', by: ['__error__'] },
    { kind: 'groups', by: ['a'] },
    allFields,
    { kind: 'facets', fields: ['__error__', '__error_details__', 'a'], wanted },
  ]
  for (const stages of [
    [json],
    [json, ofError('=', '')],
    [json, ofError('!=', 'own')],
    [ofError('=', 'own')],
  ]) {
    for (const request of asked) {
      const selector: Selector = { ...everyRecord, stages }
      const found = await sameBothWays(engine, stored, request, everything, selector)
      assert.ok(found !== undefined && found.left < stored.length, 'not all are left to us')
    }
  }
})
