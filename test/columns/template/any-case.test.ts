import assert from 'node:assert/strict'
import fc from 'fast-check'
import { RE2JS } from 're2js'
import t from 'tap'
import { verdictOnTemplate } from '../../../src/columns/search.ts'
import { type Condition, conditionOfFilter } from '../../../src/match/condition.ts'
import { conditionOfSearch } from '../../../src/query/matcher-condition.ts'
import { mayHoldRuns } from '../../../src/segment/skip/bit-filter.ts'
import { LetterRuns, letterRunsOf } from '../../../src/segment/skip/letter-runs.ts'
import { forAll } from '../../for-all.ts'
import { longRuns } from '../../long-runs.ts'
import { columnOf } from '../arbitraries.ts'
import { encodeAnyway, reopenTemplate } from './messages.ts'

const word = fc.oneof(
  fc.constantFrom(
    'task',
    'Task',
    'TASK',
    'kit',
    'KIT',
    'id',
    'ID7',
    'deadbeef',
    'DEADbeef',
    '7',
    '12',
  ),
  fc.constantFrom(
    'ta\u017fk',
    'ta\u212a',
    '\u0130d',
    'k\u0130t',
    '\u212bx',
    'éa',
    'ÉA',
    'x\ufffdk',
  ),
  fc.nat(300).map(number => `u${number}K`),
  fc.nat(0xffff).map(number => number.toString(16).padStart(8, 'a')),
)
const separator = fc.constantFrom(' ', '-', '/', '.', ' = ')
const text = fc
  .array(fc.tuple(word, separator), { minLength: 1, maxLength: 4 })
  .map(parts => parts.flat().join(''))

/** Texts, and parts of them in another case, or almost. */
const asked = fc.array(text, { minLength: 1, maxLength: 60 }).chain(texts =>
  fc.tuple(
    fc.constant(texts),
    fc
      .tuple(fc.constantFrom(...texts), fc.nat(20), fc.integer({ min: 1, max: 9 }), fc.nat(2))
      .map(([one, from, length, form]) => {
        const cut = one.slice(from % one.length).slice(0, length)
        if (form === 0) return cut
        return form === 1 ? cut.toUpperCase() : cut.replace('a', 'A').replace('i', 'K')
      }),
  ),
)

const quoted = (wanted: string) => wanted.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

function check(texts: readonly string[], condition: Condition, expected: readonly boolean[]): void {
  const plain = columnOf(texts)
  const column = reopenTemplate(encodeAnyway(plain), texts.length)
  const hits = new Uint8Array(texts.length)
  column.markHits(condition, hits, undefined)
  assert.deepEqual(
    Array.from(hits, hit => hit === 1),
    expected,
  )
  if (!column.mayPass(condition.test)) assert.ok(!expected.includes(true), 'mayPass')

  const letters = new LetterRuns().addTexts(plain).folded()
  const mayHold = (held: { bytes: Buffer }) => mayHoldRuns(letters, letterRunsOf(held.bytes))
  for (let id = 0; id < column.templates.length; id++) {
    const verdict = verdictOnTemplate(column.templates.at(id).text, condition.test, mayHold)
    for (const row of column.rowsOf(id)) {
      if (verdict !== 'some') assert.equal(expected[row], verdict === 'all', `template ${id}`)
    }
  }
}

t.test('expressions that ignore case find what RE2 finds', async () => {
  forAll(longRuns(4_000), asked, ([texts, wanted]) => {
    const expression = `(?i)${quoted(wanted)}`
    const plain = RE2JS.compile(expression)
    const condition = conditionOfFilter({ operator: '|~', text: expression })
    check(
      texts,
      condition,
      texts.map(one => plain.test(one)),
    )
  })
})

t.test('words are found in the lower case of texts', async () => {
  forAll(longRuns(4_000), asked, ([texts, wanted]) => {
    const condition = conditionOfSearch({ text: wanted, isNegated: false })
    const folded = wanted.toLowerCase()
    check(
      texts,
      condition,
      texts.map(one => one.toLowerCase().includes(folded)),
    )
  })
})
