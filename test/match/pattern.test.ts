import assert from 'node:assert/strict'
import t from 'tap'
import { compilePattern } from '../../src/match/pattern.ts'
import { forAll } from '../for-all.ts'
import { arbitraryExpression, arbitraryFlags, arbitraryTexts } from '../query/expressions.ts'

t.test('an expression matches anywhere in the text', async t => {
  const found = (source: string, text: string, expected = true) =>
    t.equal(
      compilePattern(source, 'anywhere').matches(text),
      expected,
      `${source} in ${encodeURIComponent(text)}`,
    )
  const notFound = (source: string, text: string) => found(source, text, false)

  found('', '')
  found('', 'abc')
  found('b', 'abc')
  notFound('d', 'abc')
  found('a.c', 'abc')
  notFound('a.c', 'a\nc')
  found('(?s)a.c', 'a\nc')
  found('a.c', 'a\rc') // Only the line feed is special, unlike in JavaScript.
  found('a.c', 'a\u2028c')
  found('^b$', 'b')
  notFound('^b$', 'a\nb')
  notFound('b$', 'b\n') // Unlike in Perl.
  found('(?m)^b$', 'a\nb\nc')
  found('b\\z', 'ab')
  notFound('b\\z', 'b\n')
  notFound('ERROR', 'an error')
  found('(?i)ERROR', 'an error')
  found('(?i)É', 'é')
  found('(?i)k', '\u212a') // The Kelvin sign.
  found('^.$', '😀')
  found('^..$', 'é日')
  found('\\pL', '日')
  found('\\p{Cyrillic}+', 'ключ')
  found('^\\PL+$', '1 2')
  found('\\pN', '٣')
  notFound('\\d', '٣') // ASCII, as are \w, \s and \b.
  notFound('\\w', 'é')
  found('[[:alpha:]][[:digit:]]', 'a1')
  found('\\x{1F600}', '😀')
  found('(?P<year>\\d{4})-(?<month>\\d\\d)', '2026-11')
  found('\\Qa.b*\\E', 'a.b*')
  found('a{,2}', 'a{,2}') // No repetition: it has no lower bound.
  found('a|b|', '')
  notFound('[^\\x00-\\x{10FFFF}]', 'a')
})

t.test('an anchored expression matches the whole text', async t => {
  const matches = (source: string, text: string, expected = true) =>
    t.equal(
      compilePattern(source, 'anchored').matches(text),
      expected,
      `${source} is ${encodeURIComponent(text)}`,
    )
  const differs = (source: string, text: string) => matches(source, text, false)

  matches('', '')
  differs('', 'a')
  matches('a|ab', 'ab')
  differs('a|b', 'ab')
  matches('a.*', 'abc')
  differs('a.*', 'ab\nc')
  matches('(?s)a.*', 'ab\nc')
  differs('ab', 'ab\n')
  differs('(?m)^b$', 'a\nb')
  matches('a*?', 'aaa')
  matches('.*', '')
  matches('^a$', 'a')
  matches('(?i)error|warn', 'WARN')
  matches('api-(?:gateway|worker)', 'api-gateway')
  matches('.😀', '日😀')
})

t.test('one pattern answers for text after text', async t => {
  const pattern = compilePattern('(a|b)*a(a|b){3}', 'anchored')
  const answers = ['aaaa', 'bbbb', 'babbb', 'aaaa', '', 'abbbc'].map(text => pattern.matches(text))
  t.strictSame(answers, [true, false, true, true, false, false])
  t.equal(pattern.source, '(a|b)*a(a|b){3}')
})

t.test('answers are those of JavaScript where the two languages agree', async () => {
  forAll(
    { numRuns: 1000 },
    arbitraryExpression,
    arbitraryFlags,
    arbitraryTexts,
    (expression, flags, texts) => {
      const source = flags === '' ? expression : `(?${flags})${expression}`
      const anywhere = compilePattern(source, 'anywhere')
      const anchored = compilePattern(source, 'anchored')
      const native = new RegExp(expression, `u${flags}`)
      const nativeWhole = new RegExp(`(?<![^])(?:${expression})(?![^])`, `u${flags}`)
      for (const text of texts) {
        assert.equal(
          anywhere.matches(text),
          native.test(text),
          `${source} in ${encodeURIComponent(text)}`,
        )
        assert.equal(anchored.matches(text), nativeWhole.test(text), `${source} is ${text}`)
      }
    },
  )
})

t.test('an expression that backtracking cannot finish takes its time in proportion', async t => {
  const text = 'a'.repeat(20_000)
  const answers = (source: string, expected: boolean) => {
    t.equal(compilePattern(source, 'anywhere').matches(text), expected, source)
    t.equal(compilePattern(source, 'anchored').matches(`${text}!`), false, `${source}, anchored`)
  }

  answers('(a*)*b', false)
  answers('(a|a)*b', false)
  answers('(a|aa)+$', true)
  answers('(.*)(.*)(.*)(.*)(.*)[^a]x', false)
  answers('(?:a?){30}a{30}$', true)
})
