import assert from 'node:assert/strict'
import fc from 'fast-check'
import { RE2JS } from 're2js'
import t from 'tap'
import { lost, matched, StateTable, TableOfStates } from '../../src/match/state-table.ts'
import { forAll } from '../for-all.ts'
import { longRuns } from '../long-runs.ts'
import { arbitraryExpression, arbitraryFlags, arbitraryTexts } from '../query/expressions.ts'

const forms = ['anywhere', 'anchored'] as const

t.test('states say what RE2JS says, of any expression, and of a text in parts', async () => {
  forAll(
    longRuns(2_000),
    arbitraryExpression,
    arbitraryFlags,
    arbitraryTexts,
    fc.nat(8),
    (expression, flags, texts, cut) => {
      const source = `${flags === '' ? '' : `(?${flags})`}${expression}`
      const plain = RE2JS.compile(source)
      for (const form of forms) {
        const table = new StateTable(RE2JS.compile(source), form)
        for (const text of [...texts, '', '😀é😀']) {
          const at = /^[\0-\x7f]*$/.test(text) ? cut : 0
          const head = Buffer.from(text.slice(0, at))
          const state = table.overBytes(table.start, head, 0, head.length)
          const isMatch = table.accepts(table.overText(state, text.slice(at)))
          const expected = form === 'anywhere' ? plain.test(text) : plain.testExact(text)
          assert.equal(isMatch, expected, `${source} on ${encodeURIComponent(text)}, ${form}`)
        }
      }
    },
  )
})

t.test('words of a kind lead to the states that are said, and nowhere else', async () => {
  const words = {
    digits: fc.stringMatching(/^[0-9]{1,5}$/),
    hex: fc.stringMatching(/^[0-9a-f]{1,5}$/),
    word: fc.stringMatching(/^[0-9a-zA-Z]{1,5}$/),
  } as const
  const kinds = fc.constantFrom(...(['digits', 'hex', 'word'] as const))
  const questions = kinds.chain(kind =>
    fc.tuple(fc.constant(kind), arbitraryExpression, fc.array(words[kind], { minLength: 1 })),
  )
  forAll(longRuns(1_000), questions, fc.constantFrom(...forms), ([kind, source, list], form) => {
    const table = new StateTable(RE2JS.compile(source), form)
    const reached = table.afterWords(table.start, kind)
    for (const word of list) {
      const state = table.overText(table.start, word)
      assert.ok(reached === undefined || reached.includes(state), `${source} after ${word}`)
    }
  })
})

t.test('what is decided stays so', async t => {
  const anywhere = new StateTable(RE2JS.compile('ab'), 'anywhere')
  t.equal(anywhere.overText(anywhere.start, 'xab-'), matched)
  const anchored = new StateTable(RE2JS.compile('ab'), 'anchored')
  t.equal(anchored.overText(anchored.start, 'xa'), lost)
  t.same(anchored.afterWords(lost, 'digits'), [lost])
})

t.test('an expression with too many states has no table', async t => {
  const table = new TableOfStates(RE2JS.compile('a[ab]{40}c'), 'anywhere')
  let chance = 1
  const text = Array.from({ length: 2_000 }, () => {
    chance = (chance * 16_807) % 2_147_483_647
    return chance % 2 === 0 ? 'a' : 'b'
  })
  const over = () => table.use(states => states.overText(states.start, text.join('')))
  t.equal(over(), undefined)
  t.equal(over(), undefined, 'nor is it tried again')
  const quick = new TableOfStates(RE2JS.compile('a[ab]{4}c'), 'anywhere')
  t.equal(
    quick.use(states => states.overText(states.start, 'xabbbbc ')),
    matched,
  )
})
