import assert from 'node:assert/strict'
import fc from 'fast-check'
import { RE2JS, RE2JSException } from 're2js'
import t from 'tap'
import { nativePattern } from '../../src/match/native-pattern.ts'
import { compilePattern } from '../../src/match/pattern.ts'
import { forAll } from '../for-all.ts'
import { longRuns, share } from '../long-runs.ts'
import { arbitraryExpression } from '../query/expressions.ts'

t.test('a simple expression has a native form', async t => {
  const takes = (source: string, native: string) =>
    t.equal(nativePattern(source, 'anywhere')?.source, native, source)

  takes('', '')
  takes('took [0-9]+ms|status=(deferred|bounced)', 'took [0-9]+ms|status=(?:deferred|bounced)')
  takes('a.b', 'a[^\\n]b')
  takes('\\.\\[\\_\\-\\/', '\\.\\[_-\\/')
  takes('\\s\\S', '[\\t\\n\\f\\r ][^\\t\\n\\f\\r ]')
  takes('[\\s\\d.\\_-]', '[\\t\\n\\f\\r \\d\\._\\-]')
  takes('[-a-z-]', '[\\-a-z\\-]')
  takes('[^a-z\\-/]', '[^a-z\\-\\/]')
  takes('(a|b)?\\bé😀$', '(?:a|b)?\\bé😀$')
  takes('a{2}b{0,3}?c{1,}', 'a{2}b{0,3}?c{1,}')
  takes('ab*?c??', 'ab*?c??')
  t.equal(nativePattern('.*a', 'anchored')?.source, '^(?:[^\\n]*a)$')
})

t.test('what the engines may read differently is left to RE2', async t => {
  const leaves = (source: string) => {
    t.equal(nativePattern(source, 'anywhere'), undefined, source)
    t.equal(nativePattern(source, 'anchored'), undefined, `${source}, anchored`)
  }

  leaves('(?i)a')
  leaves('(?s:a)')
  leaves('(?P<n>a)')
  leaves('(?<n>a)')
  leaves('\\pL')
  leaves('\\x41')
  leaves('\\x{41}')
  leaves('\\Qa\\E')
  leaves('\\Aa')
  leaves('a\\z')
  leaves('\\C')
  leaves('\\a')
  leaves('\\0')
  leaves('[[:alpha:]]')
  leaves('[]a]')
  leaves('[^]a]')
  leaves('[^][a]')
  leaves('a\\B') // V8 finds it in the middle of 😀.
  leaves('[a[b]')
  leaves('[\\pL]')
  leaves('[\\S]')
  leaves('[\\b]')
  leaves('[\\w-.]')
  leaves('[a-\\d]')
  leaves('[a-c-e]')
  leaves('[--a]')
  leaves('a{,2}')
  leaves('a}')
  leaves('a]')
  leaves('^*')
  leaves('\\b+')
  leaves('a**')
})

t.test('what could take long to backtrack is left to RE2', async t => {
  const leaves = (source: string) => {
    t.equal(nativePattern(source, 'anywhere'), undefined, source.slice(0, 40))
    t.equal(nativePattern(source, 'anchored'), undefined, `${source.slice(0, 40)}, anchored`)
  }

  leaves('(a*)*')
  leaves('(a+)?')
  leaves('(a?)?')
  leaves('(a|b)*')
  leaves('(ab){2}')
  leaves('a{51}')
  leaves('a{51,}')
  leaves('a{0,51}')
  leaves('a*a*a*a*b')
  leaves(`${'a?'.repeat(30)}${'a'.repeat(30)}`)
  leaves(`${'(a|a)'.repeat(30)}b`)
  leaves('a{0,50}'.repeat(4))
  leaves(Array.from({ length: 65 }, () => 'a').join('|'))
  leaves('a'.repeat(1_001))
  t.equal(nativePattern('.*a', 'anywhere'), undefined, 'from every place to the end and back')
  t.equal(nativePattern('(\\S+)a', 'anywhere'), undefined)
})

t.test('the more ways an expression has, the shorter the texts for it', async t => {
  const length = (source: string) => nativePattern(source, 'anywhere')?.textLengthMax ?? 0

  t.equal(length('abc'), 4_096)
  t.ok(length('a+b') < length('ab'))
  t.ok(length('a+b') >= 256, 'a common expression on a common line')
})

t.test('a repetition has one way when what follows ends its run', async t => {
  const length = (source: string) => nativePattern(source, 'anywhere')?.textLengthMax ?? 0

  t.ok(length('rhost=[a-z0-9.]+ .*user=root') > 512, 'a common expression on long lines')
  t.ok(length('port \\d+ ssh2$') > 1_024)
  t.ok(length('x[a-z]+ [a-z]+ y') > length('x[a-z]+[a-z]+ y'))
  t.ok(length('x[a-z ]+ y*z') < length('x[a-z]+ y*z'), 'the run may go over what follows')
  t.equal(length('x[a-z]+ *[a-z]+ y'), length('x[a-z]+ ?[a-z]+ y'), 'it may be missing')
})

t.test('what begins with a text is tried where that can stand', async t => {
  const length = (source: string) => nativePattern(source, 'anywhere')?.textLengthMax ?? 0

  t.ok(length('abcdef.*x') > length('aaaaaa.*x'), 'at every place, and only at each sixth')
  t.ok(length('ababab.*x') > length('aaaaaa.*x'))
  t.ok(length('abcdef.*x') > length('abcde?.*x'))
  t.equal(length('abcdef.*x|y.*x'), length('aaaaaa.*x|y.*x'), 'not when there are others')
})

t.test('texts on both sides of the longest native one get their answer', async t => {
  const { textLengthMax } = nativePattern('b+$', 'anywhere')!
  const pattern = compilePattern('b+$', 'anywhere')
  for (const length of [textLengthMax - 1, textLengthMax, textLengthMax + 1, 100_000]) {
    t.equal(pattern.matches('b'.padStart(length, 'a')), true, `${length} characters`)
    t.equal(pattern.matches('c'.padStart(length, 'b')), false, `${length} characters`)
  }
})

const items = [
  ...['a', 'b', '0', 'A', 'é', '😀', ' ', '_', '-', '/', ',', '&', '\\.', '\\-', '\\_', '\\]'],
  ...['\\[', '\\^', '\\/', '\\\\', '\\n', '\\r', '\\t', '\\v', '\\d', '\\D', '\\w', '\\W', '\\s'],
]
const arbitraryClass = fc
  .tuple(
    fc.constantFrom('', '^'),
    fc.constantFrom('', '-'),
    fc.array(
      fc.constantFrom(...items, 'a-b', '0-9', ' -a', 'a-é', 'é-😀', '\\.-a', '\\t-\\r', '^', '.'),
      { minLength: 1, maxLength: 4 },
    ),
    fc.constantFrom('', '-'),
  )
  .map(([negation, first, parts, last]) => `[${negation}${first}${parts.join('')}${last}]`)
const arbitraryTerm: fc.Arbitrary<string> = fc.letrec<{ any: string }>(tie => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    {
      weight: 6,
      arbitrary: fc
        .tuple(
          fc.oneof(fc.constantFrom('.', '\\S', ...items), arbitraryClass),
          fc.constantFrom(
            ...['', '', '', '?', '*', '+', '??', '*?', '+?', '{2}', '{0,2}', '{1,}?'],
          ),
        )
        .map(parts => parts.join('')),
    },
    { weight: 1, arbitrary: fc.constantFrom('^', '$', '\\b', '\\B', '(|a)', '(a|)?', '()') },
    { weight: 4, arbitrary: fc.tuple(tie('any'), tie('any')).map(([a, b]) => a + b) },
    { weight: 2, arbitrary: fc.tuple(tie('any'), tie('any')).map(([a, b]) => `(?:${a}|${b})`) },
    { weight: 1, arbitrary: fc.tuple(tie('any'), tie('any')).map(([a, b]) => `${a}|${b}`) },
    { weight: 1, arbitrary: tie('any').map(inner => `(${inner})?`) },
  ),
})).any
const units = ['a', 'b', '0', 'A', '_', ' ', '.', '-', '/', '\\', ']', '[', '^', '\n', '\r', '\t']
const arbitraryText = fc.string({
  unit: fc.constantFrom(...units, '\v', '\f', '\u00a0', 'é', '😀', '\u2028', '\ufeff', 'ſ'),
  maxLength: 8,
})

t.test('the native form answers as RE2 does', async t => {
  let nativeCount = 0
  forAll(
    longRuns(20_000),
    fc.oneof(arbitraryExpression, { weight: 3, arbitrary: arbitraryTerm }),
    fc.array(arbitraryText, { minLength: 4, maxLength: 8 }),
    (source, texts) => {
      const expression = compiled(source)
      for (const form of ['anywhere', 'anchored'] as const) {
        const native = expression && nativePattern(source, form)
        if (native === undefined) {
          continue
        }
        nativeCount += 1
        const nativeExpression = new RegExp(native.source, 'u')
        for (const text of texts) {
          assert.equal(
            nativeExpression.test(text),
            form === 'anchored' ? expression!.testExact(text) : expression!.test(text),
            `${source}, ${form}, in ${encodeURIComponent(text)}`,
          )
        }
      }
    },
  )
  t.ok(nativeCount > share(10_000), `${nativeCount} were native`)
})

function compiled(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(source)
  } catch (error) {
    assert(error instanceof RE2JSException)
    return undefined
  }
}
