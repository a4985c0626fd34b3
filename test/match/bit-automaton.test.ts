import assert from 'node:assert/strict'
import fc from 'fast-check'
import { RE2JS } from 're2js'
import t from 'tap'
import { BitAutomaton } from '../../src/match/bit-automaton.ts'
import { compilePattern } from '../../src/match/pattern.ts'
import { Turn, TurnOver } from '../../src/threads/turn.ts'
import { forAll } from '../for-all.ts'
import { longRuns, share } from '../long-runs.ts'
import { arbitraryExpression, arbitraryFlags, arbitraryTexts } from '../query/expressions.ts'

/** A text as RE2JS hands it over. */
function inputOf(text: string) {
  catcher.match(text)
  return given!
}

let given: Parameters<BitAutomaton['matches']>[0] | undefined
const catcher = RE2JS.compile('a').re2()
catcher.executeEngine = input => {
  given = input
  return null
}

const wide = fc.constantFrom(
  '',
  'x{40}',
  '(?:a|b0?){0,40}',
  '[ab]{30,35}',
  '\\b.{1,20}',
  '\\pL{33}',
)

t.test('bits say what RE2JS says, of any expression and text', async () => {
  let comparedCount = 0
  const compare = (source: string, texts: readonly string[]) => {
    const expression = RE2JS.compile(source)
    const bits = new BitAutomaton(RE2JS.compile(source).re2())
    for (const text of texts) {
      const anywhere = bits.matches(inputOf(text), 'anywhere')
      const anchored = bits.matches(inputOf(text), 'anchored')
      if (anywhere === undefined || anchored === undefined) continue
      const what = `${source} on ${encodeURIComponent(text)}`
      assert.equal(anywhere, expression.test(text), what)
      assert.equal(anchored, expression.testExact(text), `${what}, anchored`)
      comparedCount++
    }
  }
  forAll(
    longRuns(400),
    arbitraryExpression,
    wide,
    arbitraryFlags,
    arbitraryTexts,
    (expression, more, flags, texts) => {
      const source = `${flags === '' ? '' : `(?${flags})`}${expression}${more}`
      const long = texts.flatMap(text => [text, `${text.repeat(9)}${'ab'.repeat(20)}`])
      compare(source, [...long, '😀é'.repeat(20), 'x'.repeat(45), ''])
    },
  )
  assert.ok(comparedCount > share(2_000), `${comparedCount} were compared`)
})

t.test('what leads to too many others is left to RE2JS, which says the same', async t => {
  const source = '(?:a?){200}a{200}$'
  t.equal(
    new BitAutomaton(RE2JS.compile(source).re2()).matches(inputOf('a'), 'anywhere'),
    undefined,
  )
  t.equal(compilePattern(source, 'anywhere').matches('a'.repeat(3_000)), true)
  t.equal(compilePattern(source, 'anchored').matches(`${'a'.repeat(3_000)}!`), false)
})

t.test('the work grows as the text does, and a word of it takes 32 instructions', async t => {
  // Counted where each character is handed over, not timed: this machine has other work.
  const lookedAt = (source: string, text: string) => {
    const pattern = new BitAutomaton(RE2JS.compile(source).re2())
    const input = inputOf(text)
    const step = input.step.bind(input)
    let count = 0
    input.step = offset => {
      count++
      return step(offset)
    }
    t.equal(pattern.matches(input, 'anywhere'), false, source)
    return count
  }
  for (const length of [1_000, 10_000, 100_000]) {
    const text = 'abcdefghij'.repeat(length / 10)
    t.equal(lookedAt('\\pL{500}[^a-z]', text), length)
    t.equal(lookedAt('[a-z]{1,500}[0-9]', text), length)
  }
})

t.test('a text is given up in its middle when its answer is not wanted any more', async t => {
  const cancelled = new Int32Array(new SharedArrayBuffer(4))
  const turn = new Turn({ turnMs: 50, longMs: Number.POSITIVE_INFINITY, cancelled })
  const automaton = new BitAutomaton(RE2JS.compile('[a-z]{500}[0-9]').re2())
  const input = inputOf('abcdefghij'.repeat(20_000))
  const step = input.step.bind(input)
  let last = 0
  input.step = offset => {
    last = offset
    if (offset === 50_000) cancelled[0] = 1
    return step(offset)
  }
  t.throws(() => turn.within(() => automaton.matches(input, 'anywhere')), TurnOver)
  t.ok(last >= 50_000 && last < 60_000, `it went on to ${last}`)
})
