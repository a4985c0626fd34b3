import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { parseSingle, type SingleQuery } from '../../src/language/grammar.ts'
import { ParsedShapes } from '../../src/language/parsed-shapes.ts'
import { ProblemError } from '../../src/problems.ts'
import { forAll } from '../for-all.ts'
import { longRuns, share } from '../long-runs.ts'

const some = fc.constantFrom
const mark = `mark${'0'.repeat(200)}x0x`
/** Of several some are looked into: they are names, levels, kinds, or no words at all. */
const text = fc.oneof(
  { weight: 5, arbitrary: some('a', '7', 'logs', 'error', 'Error', 'p1', 'selector', 'count') },
  { weight: 1, arbitrary: some('', 'a b', '.', '$x', mark) },
)
const label = fc.oneof(
  { weight: 4, arbitrary: some('a', 'trace_id', 'log_level', 'service.name', 'service_name') },
  { weight: 1, arbitrary: some('__name__', 'pattern', mark) },
)
const matcher = fc
  .tuple(
    label,
    some('=', '=', ' = ', '!=', '!=', '=~', '=='),
    fc.tuple(some('"', '"', '"', '`'), text),
  )
  .map(([label, operator, [quote, text]]) => `${label}${operator}${quote}${text}${quote}`)
const filter = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(some(' |= ', '|="', ' != '), text) },
  {
    weight: 1,
    arbitrary: fc.tuple(some(' |~ ', ' |> ', ' | json | a=', ' | search ', ' or '), text),
  },
)
/** A question with places for words, some of them nonsense. */
const question = fc
  .tuple(
    some('count(', 'count (', '', ' ', 'sum('),
    some('logs', 'logs ', '', 'log'),
    fc.array(matcher, { maxLength: 3 }),
    fc.array(filter, { maxLength: 2 }),
    some('', '', '', '', ' # end', ' or logs', '[5m]', '}', ' + 1'),
  )
  .map(([head, name, matchers, filters, end]) => {
    const lines = filters.map(([sign, text]) =>
      sign === '|="' ? `|="${text}"` : `${sign}"${text}"`,
    )
    const braces = matchers.length > 0 ? `{${matchers.join(', ')}}` : ''
    return `${head}${name}${braces}${lines.join('')}${head.trim().endsWith('(') ? ')' : ''}${end}`
  })
/** The same with other words: every word becomes the next of some. */
const reworded = (text: string, words: readonly string[]) => {
  let next = 0
  return text.replace(/"([0-9A-Za-z]+)"/g, () => `"${words[next++ % words.length]}"`)
}

t.test('a text of a shape that is known is what it would be parsed to', async t => {
  const shapes = new ParsedShapes<SingleQuery>(text => parseSingle(text))
  const words = fc.array(some('b', 'logs', 'warn', 'Warning', 'x9', '0', 'selector', '__name__'), {
    minLength: 1,
    maxLength: 4,
  })
  let known = 0
  forAll(longRuns(10_000), question, words, (asked, words) => {
    for (const text of [asked, reworded(asked, words)]) {
      const found = shapes.of(text)
      if (found === undefined) continue
      known++
      assert.deepEqual(found, parseSingle(text))
    }
  })
  t.ok(known > share(500), `${known} were known`)
})

t.test('what is only looked for is parsed once', async t => {
  let parses = 0
  const shapes = new ParsedShapes<SingleQuery>(text => {
    parses++
    return parseSingle(text)
  })
  const ids = Array.from({ length: 20 }, (_, i) => `4fd0b${i}`)
  for (const id of ids) {
    const text = `count(logs{trace_id="${id}", a = "b"} |= "${id}x")`
    t.same(shapes.of(text), parseSingle(text))
  }
  t.equal(parses, 1)
  const { query, selector } = shapes.of('count(logs{a="c"})')!
  t.ok(query.kind === 'aggregate' && query.selector === selector, 'one is one in the copy')
})

t.test(
  'a fault is told by the parser, and shapes that were not asked for long are let go of',
  async t => {
    let parses = 0
    const shapes = new ParsedShapes<SingleQuery>(text => {
      parses++
      return parseSingle(text)
    })
    t.equal(shapes.of('logs{a="b"'), undefined)
    t.throws(() => parseSingle('logs{a="b"'), ProblemError)
    const ask = (label: number) => shapes.of(`logs{a${label}="b"}`)
    for (let label = 0; label < 40; label++) ask(label)
    parses = 0
    ask(39)
    t.equal(parses, 0)
    ask(0)
    t.equal(parses, 1)
  },
)

t.test('what makes more of a word than a value is parsed each time', async t => {
  for (const more of [(word: string) => `${word}s`, (word: string) => new Map([[word, 1]])]) {
    const shapes = new ParsedShapes(text => more(/"(.*?)"/.exec(text)![1]!))
    for (const word of ['a', 'b']) t.equal(shapes.of(`logs{a="${word}"}`), undefined)
  }
})

t.test('queries that look into words, or may, are left to the parser', async t => {
  const shapes = new ParsedShapes<SingleQuery>(text => parseSingle(text))
  const words = Array.from({ length: 17 }, (_, i) => `|= "w${i}"`).join(' ')
  for (const text of [
    '{__name__="logs"}',
    'logs{a="b"} | json',
    'logs{a="b"} # c',
    'logs{a="$b"}',
    'logs{a=~"b"}',
    `logs{a="b", ${mark}="c"}`,
    `logs ${words}`,
    'logs',
    'sum(logs{a="b"} | unwrap c)',
    'a="b"',
  ]) {
    t.equal(shapes.of(text), undefined, text)
  }
})
