import assert from 'node:assert/strict'
import t from 'tap'
import { parseQuery } from '../../src/language/grammar.ts'
import { ParsedTexts } from '../../src/language/parsed-texts.ts'
import { printQuery } from '../../src/language/print.ts'
import { ProblemError } from '../../src/problems.ts'
import { forAll } from '../for-all.ts'
import { anyQuery } from '../query/queries.ts'

t.test('what is asked again is what it would be parsed to', async () => {
  const parsed = new ParsedTexts(text => parseQuery(text))
  const earlier: string[] = []
  forAll(anyQuery, query => {
    earlier.push(printQuery(query))
    const again = earlier[Math.floor(earlier.length / 3)] ?? ''
    for (const text of [earlier.at(-1)!, again]) assert.deepEqual(parsed.of(text), parseQuery(text))
  })
})

t.test('texts that were asked last are not parsed again, but for one of sixteen', async t => {
  const parses: string[] = []
  let now = 0
  const parse = (text: string) => {
    parses.push(text)
    return parseQuery(text)
  }
  const parsed = new ParsedTexts(parse, () => now)
  /** Which of the texts are parsed when each is asked for twice in a row. */
  const parsedOf = (texts: readonly string[]) => {
    parses.length = 0
    for (const text of texts) {
      now += 100 // Those that are asked within less are not parsed for the sake of warmth.
      for (let n = 0; n < 2; n++) parsed.of(text)
    }
    return [...parses]
  }
  const texts = Array.from({ length: 128 }, (_, n) => `logs |~ "${n}"`)
  t.equal(parsedOf(texts).length, 128 + 16)
  t.same(
    parsedOf(texts),
    texts.filter((_, n) => n % 8 === 7),
  )
  parses.length = 0
  now += 99
  for (const text of texts) parsed.of(text)
  t.same(parses, [], 'nor is one of sixteen so soon after another')
  const [first = '', second = ''] = texts
  parsed.of(first)
  parsed.of('logs |~ "one more"')
  t.same(parsedOf([first]), [], 'what is asked again and again stays')
  t.same(parsedOf([second]), [second], 'what was asked longest ago is not kept')
  const long = `logs |~ "${'x'.repeat(1_000)}"`
  t.same(parsedOf([long]), [long, long], 'nor is a long text')
})

t.test('a fault is told each time', async t => {
  const parsed = new ParsedTexts(text => parseQuery(text))
  for (let n = 0; n < 2; n++) t.throws(() => parsed.of('logs |= '), ProblemError)
})
