import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { Test } from '../../src/match/condition.ts'
import { compilePattern } from '../../src/match/pattern.ts'
import { filterPageBytes } from '../../src/segment/filter-pages.ts'
import { buildTokenFilter, mayContainWord } from '../../src/segment/token-filter.ts'
import { wordsInside, wordsOf, wordsThatMustOccur } from '../../src/segment/tokens.ts'
import { forAll } from '../for-all.ts'
import { textColumn } from './texts.ts'

/** Texts with many short words, so that needles cut through them. */
const text = fc.string({
  unit: fc.constantFrom('a', 'b', '7', 'Z', ' ', '-', '.', 'é', '😀', '\0'),
  maxLength: 20,
})

function contains(filter: Buffer, word: string): boolean {
  const readPage = (index: number) => {
    assert(index * filterPageBytes < filter.length, 'only pages that there are')
    return filter.subarray(index * filterPageBytes, (index + 1) * filterPageBytes)
  }
  return mayContainWord(readPage, filter.length / filterPageBytes, word)
}

t.test('every word of every text is found', async () => {
  forAll(fc.array(fc.array(text, { maxLength: 20 }), { maxLength: 3 }), columns => {
    const filter = buildTokenFilter(columns.map(textColumn))
    for (const value of columns.flat()) {
      for (const word of value.match(/[0-9a-zA-Z]+/g) ?? []) {
        assert(contains(filter, word), word)
      }
    }
  })
})

t.test('a filter never denies a block that has a match', async () => {
  const part = fc.tuple(text, fc.nat(20), fc.nat(20))
  const test = fc.oneof(
    part.map(([value]): [string, Test] => [value, testOf('equals', value)]),
    part.map(([value, from, to]): [string, Test] => {
      const needle = [...value].slice(Math.min(from, to), Math.max(from, to)).join('')
      return [value, testOf('contains', needle)]
    }),
  )
  forAll({ numRuns: 2_000 }, test, fc.array(text), ([value, condition], others) => {
    const filter = buildTokenFilter([textColumn([...others, value, ...others])])
    for (const word of wordsThatMustOccur(condition)) assert(contains(filter, word), word)
  })
})

function testOf(kind: 'equals' | 'contains', text: string): Test {
  return { kind, text, bytes: Buffer.from(text) }
}

t.test('a needle asks only for the words that it bounds on both sides', async t => {
  const inside = (needle: string, expected: string[]) =>
    t.same(wordsInside(Buffer.from(needle)), expected, JSON.stringify(needle))
  inside('', [])
  inside('abc', [])
  inside(' abc', [])
  inside('abc ', [])
  inside(' abc ', ['abc'])
  inside('user=17, id=9', ['17', 'id'])
  inside('éaé', ['a'])
  inside('-a-a-b-', ['a', 'b'])
})

t.test('a value that must be equal asks for all its words, once each', async t => {
  t.same(wordsOf(Buffer.from('user=17, id=17é')), ['user', '17', 'id'])
  t.same(wordsOf(Buffer.from('')), [])
  t.same(wordsOf(Buffer.from('- é -')), [])
})

t.test('a regular expression asks for the whole words of what it must find', async t => {
  const asks = (source: string, words: string[]) => {
    const pattern = compilePattern(source, 'anywhere')
    t.same(wordsThatMustOccur({ kind: 'matches', pattern }), words, source)
  }
  asks('user .* signed in from 10\\.1', ['signed', 'in', 'from', '10'])
  asks('timeout', [])
  asks(' timeout ', ['timeout'])
  asks('( a )?b', [])
  asks('(?i) timeout ', [])
})

t.test('at most two of a thousand absent words pass', async t => {
  const absentShare = (wordCount: number, wordAt: (index: number) => string) => {
    const present = Array.from({ length: wordCount }, (_, i) => wordAt(i))
    const filter = buildTokenFilter([textColumn(present)])
    let passed = 0
    for (let i = 0; i < 50_000; i++) if (contains(filter, wordAt(wordCount + i))) passed++
    return passed / 50_000
  }
  const hex = (i: number) => (i * 2_654_435_761).toString(16).padStart(16, '0')
  t.ok(absentShare(100_000, hex) < 0.002, 'hexadecimal ids')
  t.ok(absentShare(100_000, String) < 0.002, 'consecutive numbers')
  t.ok(absentShare(5_000, i => `user${i.toString(36)}x`) < 0.002, 'words')
})

t.test('ten words in many texts take one page, none take none', async t => {
  const texts = Array.from({ length: 100_000 }, (_, i) => `w${i % 10}`)
  t.equal(buildTokenFilter([textColumn(texts)]).length, filterPageBytes)
  t.equal(buildTokenFilter([textColumn(['', ' - ', 'é'])]).length, 0)
  t.equal(buildTokenFilter([]).length, 0)
  t.notOk(contains(Buffer.alloc(0), 'a'), 'without pages no word occurs')
})

t.test('only the range of a column that its offsets name is read', async t => {
  const { bytes } = textColumn(['before middle after'])
  const filter = buildTokenFilter([{ offsets: Uint32Array.of(7, 13), bytes }])
  t.ok(contains(filter, 'middle'))
  t.notOk(contains(filter, 'before'))
  t.notOk(contains(filter, 'after'))
})
