import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { encodeColumn } from '../../../src/columns/choose.ts'
import type { SearchableColumn, TextColumn } from '../../../src/columns/column.ts'
import { patternCodes } from '../../../src/columns/patterns/column-patterns.ts'
import {
  patternOfMessage,
  patternOfSkeleton,
} from '../../../src/columns/patterns/message-pattern.ts'
import { skeletonOf } from '../../../src/columns/patterns/skeleton.ts'
import { PlainColumn } from '../../../src/columns/plain.ts'
import { forAll } from '../../for-all.ts'
import { longRuns } from '../../long-runs.ts'
import { reopen } from '../reopen.ts'
import { columnOfBytes, encodeAnyway, messages, reopenTemplate } from '../template/messages.ts'

/** Each message for itself, whatever stands beside it. */
function plainly({ offsets, bytes }: TextColumn): string[] {
  const ids: string[] = []
  for (let i = 1; i < offsets.length; i++) {
    ids.push(patternOfSkeleton(skeletonOf(bytes.subarray(offsets[i - 1], offsets[i]))).id)
  }
  return ids
}

function idsOf(column: SearchableColumn): string[] {
  const { codes, codeCount, patternOf } = patternCodes(column)
  return Array.from(codes, code => {
    assert.ok(code < codeCount)
    return patternOf(code).id
  })
}

t.test('messages of a column are of the patterns that each has for itself', async () => {
  forAll(longRuns(2_000), messages, list => {
    const values = columnOfBytes(list)
    const expected = plainly(values)
    const template = reopenTemplate(encodeAnyway(values), list.length)
    assert.deepEqual(idsOf(template), expected)
    assert.deepEqual(idsOf(template), expected, 'again')
    assert.deepEqual(idsOf(new PlainColumn(values)), expected)
    const encoded = encodeColumn(values)
    assert.deepEqual(idsOf(reopen(encoded, list.length)), expected, encoded.encoding)
  })
})

t.test('words that a block takes for variables stay what they are', async t => {
  const names = 'alice bob carol dave erin frank grace heidi deadbeefcafe'.split(' ')
  const list = Array.from(
    { length: 900 },
    (_, i) => `table ${names[i % 9]} is locked by ${i} of ${names[(i >> 3) % 9]}`,
  )
  const values = columnOfBytes(list)
  const column = reopenTemplate(encodeAnyway(values), list.length)
  t.equal(column.templates.length, 1, 'there is one template')
  const { codes, patternOf } = patternCodes(column)
  const texts = Array.from(codes, code => patternOf(code).text)
  t.equal(texts[0], 'table alice is locked by <*> of alice')
  t.equal(texts[8], 'table <*> is locked by <*> of bob')
  t.same(idsOf(column), plainly(values))
})

t.test('words that are hardly ever the same stay, too', async t => {
  const wordOf = (i: number) =>
    [...`${1_000_003 + i * 7_919}`].map(digit => 'ghijklmnop'[+digit]).join('')
  const list = Array.from({ length: 2_000 }, (_, i) => `row ${i % 5 ? wordOf(i) : i} of table`)
  const values = columnOfBytes(list)
  const column = reopenTemplate(encodeAnyway(values), list.length)
  t.equal(column.templates.length, 1, 'there is one template')
  t.same(idsOf(column), plainly(values))
  t.equal(new Set(idsOf(column)).size, 1_601)
})

t.test('of a message of a megabyte only the begin is its kind', async t => {
  const long = `begin ${'word '.repeat(200_000)}`
  const values = columnOfBytes([long, `begin ${'x'.repeat(1_000_000)}`, '7 '.repeat(100_000)])
  const startedAt = performance.now()
  const { codes, patternOf } = patternCodes(new PlainColumn(values))
  t.ok(patternOf(codes[0]!).text.length <= 1_004)
  t.match(patternOf(codes[0]!).text, /^begin word .* <\*>$/)
  t.equal(patternOf(codes[2]!).text, '<*>')
  t.ok(performance.now() - startedAt < 1_000)
  t.same(idsOf(reopenTemplate(encodeAnyway(values), 3)), plainly(values))
})

t.test(
  'what is words only is its own pattern, but for names of users, as beside a sign',
  async () => {
    const words = 'user User username for by at from Mon May am PM abc a is failed deadbeef'.split(
      ' ',
    )
    const message = fc.array(fc.constantFrom(...words, 'zoe', 'Leo'), {
      minLength: 1,
      maxLength: 7,
    })
    const textOf = (text: string) => patternOfMessage(text).text
    forAll({ numRuns: 500 }, message, list => {
      const text = list.join(' ')
      // No rule knows this sign, and with it all of them are asked.
      assert.equal(`${textOf(text)} !`, textOf(`${text} !`))
      assert.equal(textOf(`${list.join('  ')} `), textOf(text))
    })
  },
)
