import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { Query, Selector } from '../../src/query/ast.ts'
import { parseQuery } from '../../src/query/grammar.ts'
import { printQuery } from '../../src/query/print.ts'
import { arbitraryQuery, object } from './plain.ts'

t.test('a query prints in one canonical way', async t => {
  const prints = (query: string, expected: string) =>
    t.equal(printQuery(parseQuery(query)), expected, `prints ${expected}`)

  prints('logs{}', 'logs')
  prints(' count ( logs { } ) ', 'count(logs)')
  prints('count(logs) by (a,b,)', 'count by (a, b) (logs)')
  prints("logs{ service.name = 'api' , }", 'logs{service.name="api"}')
  prints('logs|="a"!="b"', 'logs |= "a" != "b"')
  prints('logs{""="x"}', 'logs{""="x"}')
  prints('logs{"a b"="x"}', 'logs{"a b"="x"}')
  prints('logs{ключ="x"}', 'logs{"ключ"="x"}')
  prints('logs |~ "\\\\d+"', 'logs |~ `\\d+`')
  prints('logs |= "\\\\ and `"', 'logs |= "\\\\ and `"')
  prints('logs |= "\\\\\\n"', 'logs |= "\\\\\\n"')
})

// Labels and texts without bounds: quotes, backslashes, control characters, any script, empty.
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom(
      '"',
      "'",
      '`',
      '\\',
      'u',
      'n',
      '\n',
      '\r',
      '\0',
      '\u2028',
      '{',
      ' ',
      '😀',
    ),
  }),
  fc.constantFrom('', 'by', 'logs', 'count', 'a.b/c:d-e', '__proto__', '-', '.'),
)

const anySelector: fc.Arbitrary<Selector> = object({
  kind: fc.constant('selector' as const),
  matchers: fc.array(
    object({ label: anyText, operator: fc.constantFrom('=' as const, '!='), value: anyText }),
    { maxLength: 4 },
  ),
  filters: fc.array(object({ operator: fc.constantFrom('|=' as const, '!='), text: anyText }), {
    maxLength: 4,
  }),
})

const anyQuery: fc.Arbitrary<Query> = fc.oneof(
  anySelector,
  object({
    kind: fc.constant('aggregate' as const),
    operation: fc.constant('count' as const),
    by: fc.uniqueArray(anyText, { maxLength: 4 }),
    selector: anySelector,
  }),
)

t.test('what is printed parses to the same tree, whatever its labels and texts', async () => {
  fc.assert(
    fc.property(fc.oneof(anyQuery, arbitraryQuery), query => {
      assert.deepEqual(parseQuery(printQuery(query)), query)
    }),
    { numRuns: 500 },
  )
})
