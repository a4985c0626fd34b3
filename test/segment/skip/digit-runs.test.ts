import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { mayHoldRuns } from '../../../src/segment/skip/bit-filter.ts'
import { DigitRuns, digitRunsOf, isDigitFilter } from '../../../src/segment/skip/digit-runs.ts'
import { anyCodePoint } from '../../any-code-point.ts'
import { forAll } from '../../for-all.ts'
import { longRuns, share } from '../../long-runs.ts'
import { textColumn } from '../texts.ts'

const filterOf = (texts: readonly string[]) => new DigitRuns().addTexts(textColumn(texts)).folded()
const mayHold = (texts: readonly string[], piece: string) =>
  mayHoldRuns(filterOf(texts), digitRunsOf(Buffer.from(piece)))

const byte = fc.constantFrom(...'0123456789', ...'0019', ...'..:-/_ ', 'a', 'Z', 'é')
const text = fc.oneof(
  fc.array(byte, { maxLength: 30 }).map(parts => parts.join('')),
  fc.ipV4().map(address => `from ${address}:443`),
  fc.string({ unit: anyCodePoint }),
)

t.test('a piece of any of the texts may be in them, whatever its case', async t => {
  const cut = fc.tuple(fc.nat(), fc.nat(), fc.nat())
  let told = 0
  forAll(longRuns(300), fc.array(text, { minLength: 1 }), cut, (texts, at) => {
    const chosen = Buffer.from(texts[at[0] % texts.length]!)
    const from = at[1] % (chosen.length + 1)
    const piece = chosen.subarray(from, from + 4 + (at[2] % 12))
    const filter = filterOf(texts)
    const other = Buffer.from(piece.toString('latin1').replaceAll(/[a-z]/g, upper), 'latin1')
    for (const one of [piece, other]) {
      if (digitRunsOf(one).length > 0) told++
      assert.ok(mayHoldRuns(filter, digitRunsOf(one)), one.toString('latin1'))
    }
  })
  t.ok(told > share(100), `${told} pieces have runs`)
})

function upper(letter: string): string {
  return letter.toUpperCase()
}

t.test('what is nowhere is told, but for digits alone and short pieces', async t => {
  const texts = ['connection refused by 10.251.7.1', 'blk_-123456 at 12:34:56, port 8080']
  const there = ['10.251.', '10.25', '.251.7', '0.251.7.1', 'BLK_-12', '2:34', 't 8', 'port 80']
  for (const piece of there) t.ok(mayHold(texts, piece), piece)
  const nowhere = ['10.252.', '10.51.7', '.251.8', '1.7.2', 'blk_9', '12:35', 'port 22', '=1 ']
  t.same(
    nowhere.filter(piece => mayHold(texts, piece)),
    ['=1 '],
  )
  t.ok(mayHold(texts, '999999'), 'nothing is known of digits alone')
  t.ok(mayHold(texts, 'nowhere'))
  const addresses = ['20.199.7.1 251.20.1.9', '8.20.25.1 0.251.7.1']
  t.notOk(mayHold(addresses, '20.251.'), 'numbers beside each other')
  t.ok(mayHold(addresses, '0.251.'), 'which may begin before the piece')
  t.ok(mayHold(addresses, '20.25'), 'or end behind it')
  t.notOk(mayHold(['port 1', '234'], 't 12'), 'a text ends a run')
  t.notOk(mayHold([], 'a 12'))
})

t.test('a filter is as small as its texts allow, and none where it says nothing', async t => {
  const addressesOf = (count: number) =>
    Array.from({ length: count }, (_, i) => {
      const hash = Math.imul(i + 1, 0x9e3779b1) >>> 0
      return [24, 16, 8, 0].map(shift => (hash >>> shift) & 255).join('.')
    })
  const sizes = [0, 10, 300, 3_000].map(count => filterOf(addressesOf(count)).length)
  t.same(sizes, [64, 64, 1_024, 8_192])
  const unlike = (count: number) => Array.from({ length: count }, (_, i) => `${i}${wordOf(i)}${i}`)
  t.equal(filterOf(unlike(100_000)).length, 0)
  for (const length of [0, 64, 16_384]) t.ok(isDigitFilter(Buffer.alloc(length)))
  for (const length of [32, 96, 32_768]) t.notOk(isDigitFilter(Buffer.alloc(length)))
})

function wordOf(i: number): string {
  return (Math.imul(i, 0x85ebca6b) >>> 0).toString(36)
}
