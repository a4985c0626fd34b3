import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { mayHoldRuns } from '../../../src/segment/skip/bit-filter.ts'
import { isLetterFilter, LetterRuns, letterRunsOf } from '../../../src/segment/skip/letter-runs.ts'
import { anyCodePoint } from '../../any-code-point.ts'
import { forAll } from '../../for-all.ts'
import { textColumn } from '../texts.ts'

const filterOf = (texts: readonly string[]) => new LetterRuns().addTexts(textColumn(texts)).folded()
const mayHold = (texts: readonly string[], piece: string) =>
  mayHoldRuns(filterOf(texts), letterRunsOf(Buffer.from(piece)))

t.test('a piece of any of the texts may be in them, whatever its case', async t => {
  const text = fc.oneof(fc.string({ unit: anyCodePoint }), fc.stringMatching(/^[a-zA-Z]{0,40}$/))
  forAll(fc.array(text, { minLength: 1 }), fc.nat(), fc.nat(), fc.nat(), (texts, ...at) => {
    const chosen = texts[at[0] % texts.length]!
    const piece = chosen.slice(at[1] % (chosen.length + 1)).slice(0, at[2] % 12)
    assert.ok(mayHold(texts, piece))
    assert.ok(
      mayHold(
        texts,
        piece.replaceAll(/[a-z]/g, letter => letter.toUpperCase()),
      ),
    )
  })
  t.pass()
})

t.test('what is nowhere is told, but for short pieces and what has no letters', async t => {
  const texts = ['connection refused by 10.251.7.1', 'blk_-123456 Café déjà-vu']
  t.ok(mayHold(texts, 'nection ref'))
  t.notOk(mayHold(texts, 'authentication'))
  t.notOk(mayHold(texts, 'connectionrefused'), 'a run ends at what is no letter')
  t.notOk(mayHold(texts, 'refu by sedb'))
  t.ok(mayHold(texts, 'xyz 99 zyx'), 'nothing is known of less than four letters')
  t.notOk(mayHold(['abcd', 'efgh'], 'cdef'), 'a text ends a run')
  t.notOk(mayHold([], 'abcd'))
})

t.test('a filter is as small as its texts allow, and none where it says nothing', async t => {
  const sizeOf = (texts: readonly string[]) => filterOf(texts).length
  t.equal(sizeOf(['Accepted password for root']), 64)
  let state = 1
  const random = (bound: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
  const word = (length: number) =>
    Array.from({ length }, () => String.fromCharCode(97 + random(26))).join('')
  const words = (count: number) => Array.from({ length: count }, () => word(7))
  t.equal(sizeOf(words(50)), 512)
  t.equal(sizeOf(words(2_000)), 4_096)
  t.equal(sizeOf(words(40_000)), 0)
  for (const count of [0, 10, 100, 1_000, 40_000]) {
    t.ok(isLetterFilter(filterOf(words(count))))
  }
  t.notOk(isLetterFilter(Buffer.alloc(96)))
  t.notOk(isLetterFilter(Buffer.alloc(8_192)))
  const absent = Array.from({ length: 1_000 }, () => word(8))
  const filter = filterOf(words(500))
  const taken = absent.filter(piece => mayHoldRuns(filter, letterRunsOf(Buffer.from(piece))))
  t.ok(taken.length < 10, `${taken.length} of 1,000 absent words are taken for present`)
})
