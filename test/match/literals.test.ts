import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { literalChoices, requiredLiterals } from '../../src/match/literals.ts'
import { compilePattern } from '../../src/match/pattern.ts'
import { forAll } from '../for-all.ts'
import { longRuns, share } from '../long-runs.ts'
import { arbitraryExpression, arbitraryFlags, arbitraryTexts } from '../query/expressions.ts'

t.test('literals that every match must have are found', async t => {
  const finds = (source: string, ...expected: string[]) =>
    t.same(requiredLiterals(source), expected, source)

  finds('error', 'error')
  finds('connection reset by peer', 'connection reset by peer')
  finds('user .* from', 'user ', ' from')
  finds('took [0-9]+ ms', 'took ', ' ms')
  finds('10\\.0\\.0\\.1', '10.0.0.1')
  finds('\\Qa.b*\\E', 'a.b*')
  finds('\\Qa.b', 'a.b')
  finds('^start', 'start')
  finds('end$', 'end')
  finds('in\\b the', 'in the')
  finds('a+b', 'a', 'b')
  finds('abc*', 'ab')
  finds('abc?d', 'ab', 'd')
  finds('abc{2}d', 'abc', 'd')
  finds('abc{2,}?d', 'abc', 'd')
  finds('ab{0,3}', 'a')
  finds('a{,2}', 'a{,2}')
  finds('status=(deferred|bounced)', 'status=')
  finds('(?:a|b)cd', 'cd')
  finds('a(b[)]\\)c)?def', 'def', 'a')
  finds('x[])]y', 'x', 'y')
  finds('x[[:alpha:]]y', 'x', 'y')
  finds('x\\x41y', 'x', 'y')
  finds('x\\x{1F600}y', 'x', 'y')
  finds('x\\pLy\\p{Greek}z', 'x', 'y', 'z')
  finds('x\\101y', 'x', 'y')
  finds('x\\dyy', 'yy', 'x')
  finds('(?s)a.b', 'a', 'b')
  finds('(?P<name>x)y', 'y')
  finds('größe 😀?', 'größe ')
})

t.test('an expression that says nothing for certain gives no literals', async t => {
  const findsNone = (source: string) => t.same(requiredLiterals(source), [], `"${source}"`)

  findsNone('')
  findsNone('.*')
  findsNone('a|b')
  findsNone('a|')
  findsNone('(abc)')
  findsNone('a?')
  findsNone('a{0}')
  findsNone('[abc]')
  findsNone('(?i)error')
  findsNone('error(?i)')
  findsNone('\ufffd') // What bytes that are not UTF-8 are read as.
  findsNone('(abc')
  findsNone('abc)')
  findsNone('[abc')
  findsNone('abc\\')
})

t.test('each outermost alternative has its literals', async t => {
  const finds = (source: string, ...expected: string[][]) =>
    t.same(literalChoices(source), expected, source)

  finds('ab|c.d', ['ab'], ['c', 'd'])
  finds('ab|', ['ab'], [])
  finds('(a|b)|c', [], ['c'])
  finds('ab|(?i)c', [])
})

t.test('every match has all literals of one of the alternatives', async t => {
  let found = 0
  const expressions = fc.oneof(
    arbitraryExpression,
    fc.tuple(arbitraryExpression, arbitraryExpression).map(([a, b]) => `${a}|${b}`),
    fc
      .array(
        fc.constantFrom(
          'a',
          'b',
          '0',
          '_',
          'é',
          ' ',
          '.',
          '\\.',
          '[ab]',
          'a*',
          'b?',
          '0{0,2}',
          '\\Qa_\\E',
          '^',
          '(?:a|b)',
          '|',
          'A+',
          '\\x61',
          '\\141',
        ),
        { maxLength: 6 },
      )
      .map(parts => parts.join('')),
  )
  forAll(
    longRuns(10_000),
    expressions,
    arbitraryFlags,
    arbitraryTexts,
    (expression, flags, texts) => {
      const source = flags === '' ? expression : `(?${flags})${expression}`
      const pattern = compilePattern(source, 'anywhere')
      const choices = literalChoices(source)
      for (const text of texts) {
        if (!pattern.matches(text)) continue
        const has = (literals: string[]) => literals.every(literal => text.includes(literal))
        assert.ok(choices.some(has), `${source} in ${JSON.stringify(text)}`)
        assert.ok(has(requiredLiterals(source)))
        if (choices.every(literals => literals.length > 0)) found++
      }
    },
  )
  t.ok(found > share(300), `${found} matches had literals`)
})

t.test('a literal of a text is found in all that contains it', async () => {
  const quote = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  forAll(fc.string({ unit: 'grapheme', minLength: 1 }), text => {
    fc.pre(!text.includes('\ufffd'))
    assert.deepEqual(requiredLiterals(quote(text)), [text])
  })
})
