/** Names of what `| logfmt` finds, and values, in lines of any form: those of JSON are told as well. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { everyRecord } from '../../src/language/ast.ts'
import type { Stage } from '../../src/language/stage.ts'
import type { CollectorRequest } from '../../src/query/collect/collector.ts'
import { longRuns } from '../long-runs.ts'
import { object } from '../query/plain.ts'
import { sameBothWays, Tally } from './both-ways.ts'
import { engineMissing } from './installed-engine.ts'
import { sharedEngine } from './shared-engine.ts'
import { makeTable, type Stored } from './table.ts'

const skip = engineMissing ?? false
const some = <T>(...values: T[]) => fc.constantFrom(...values)
const everything = { every: 1, first: 0 }
const line = String.raw

/** Each with a key of its own, so that none is there twice; `@` is in its place. */
const parts = fc.array(
  some(
    ...[
      '@=1',
      '@="a b"',
      '@',
      '@=',
      '@=""',
      '@="a=1 b"',
      '@==',
      '="x"',
      '@="x"y',
      'x"@=1',
      '@=a"b',
    ],
    ...[
      line`@="a\"b c"`,
      line`@="\\"`,
      line`@="\u0041"`,
      '@="a\\\nb"',
      '@="a\nb"',
      '@="',
      '"',
      '=',
      '\\',
    ],
    ...[
      '"@=1',
      '{"@":"b=1',
      '@=2"}',
      '"msg":"took @=5ms"',
      '{"a.@":1,"error":"x"}',
      '@.b=1',
      '1@=é',
    ],
    ...['\u00a0', '@=\u2003x', '😀@=😀', '@\v=1', '[@=1]', "@='x y'", '\ufeff@=1', '@="\\\u2028"'],
  ),
  { maxLength: 6 },
)
const names = 'abcdefghij'
const ofParts = fc
  .tuple(parts, some(' ', ' ', '  ', '\t', '\n', '\u00a0'), some('', '', ' ', '\n'))
  .map(
    ([all, between, end]) =>
      all.map((one, i) => one.replaceAll('@', names[i]!)).join(between) + end,
  )
const lines = fc.oneof(
  { weight: 8, arbitrary: ofParts },
  fc.json(),
  some('', '__error__=1', '{"error":1}', 'a.b=1 a_b=2', 'service_name=x', '-=1', 'log_level=x'),
)

const stored: fc.Arbitrary<Stored> = object({
  record: object({
    timestamp: fc.constant(0),
    level: some('info', ''),
    message: lines,
    attributes: some<string[]>([], [], ['a', '7'], ['a.b', ''], ['b', 'x', 'c', '']),
  }),
  stream: some({ service: 'api', environment: 'prod' }),
})

const fields = some<CollectorRequest>({ kind: 'fields', tooMany: 'refuse' })
const facets = fc
  .shuffledSubarray(['a', 'b', 'c', 'd', 'e', 'a_b', 'x'], { minLength: 4 })
  .map((asked): CollectorRequest => {
    const bounds = { countMax: 1_000, lengthMax: 1e6 }
    return { kind: 'facets', fields: asked, wanted: { prefix: '', bounds } }
  })

t.test('fields of lines that are logfmt, JSON, or neither', { skip }, async t => {
  const engine = await sharedEngine(t)
  const all = fc.sample(stored, { numRuns: 1_000, seed: 22 })
  await makeTable(engine, all)
  const seen = { fields: new Tally(), facets: new Tally() }
  await fc.assert(
    fc.asyncProperty(fc.oneof(fields, facets), fc.boolean(), async (request, keepsEmpty) => {
      const stage: Stage = { kind: 'logfmt', extractions: [], isStrict: false, keepsEmpty }
      const selector = { ...everyRecord, stages: [stage] }
      const found = await sameBothWays(engine, all, request, everything, selector)
      seen[request.kind as 'fields'].add(found)
    }),
    longRuns(200),
  )
  const text = JSON.stringify(seen)
  t.comment(text)
  // Left are keys that are there twice, and of values what has escapes.
  assert.ok(seen.fields.left < 0.1 * seen.fields.matching, text)
  assert.ok(seen.facets.left < 0.4 * seen.facets.matching, text)
})
