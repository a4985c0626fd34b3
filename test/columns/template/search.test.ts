import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { PlainColumn } from '../../../src/columns/plain.ts'
import {
  type Condition,
  conditionOfFilter,
  conditionOfMatcher,
} from '../../../src/match/condition.ts'
import { forAll } from '../../for-all.ts'
import { longRuns } from '../../long-runs.ts'
import { arbitraryExpression } from '../../query/expressions.ts'
import { masksFor } from '../arbitraries.ts'
import { contains, equals, findIn, matches } from '../reopen.ts'
import { columnOfBytes, encodeAnyway, messages, reopenTemplate } from './messages.ts'

/** A part of a message as text, from anywhere in it; sometimes all of it, sometimes one character. */
function cutFrom(list: readonly string[]): fc.Arbitrary<string> {
  const texts = list.map(message => Buffer.from(message, 'latin1').toString())
  return fc
    .tuple(fc.constantFrom('', ...texts), fc.nat(), fc.oneof(fc.nat(3), fc.nat(60)))
    .map(([text, start, length]) => {
      const from = start % (text.length + 1)
      return text.slice(from, from + length)
    })
}

/** Cuts as they are, and ones that nothing may have: two joined, one character less, one more. */
function needleFrom(list: readonly string[]): fc.Arbitrary<string> {
  const cut = cutFrom(list)
  const changed = fc
    .tuple(cut, fc.nat(), fc.nat(1), fc.constantFrom('', '0', '1', 'a', ' '))
    .map(([text, at, removed, added]) =>
      [...text].toSpliced(at % (text.length + 1), removed, added),
    )
    .map(characters => characters.join(''))
  return fc.oneof(
    { weight: 4, arbitrary: cut },
    { weight: 4, arbitrary: changed },
    { weight: 1, arbitrary: fc.tuple(cut, cut).map(([a, b]) => a + b) },
    { weight: 1, arbitrary: fc.constantFrom('0', '00', '1', 'a', ' ', '-', 'é', '日', '\ufffd') },
  )
}

const quote = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function expressionFrom(list: readonly string[]): fc.Arbitrary<string> {
  const literal = cutFrom(list).map(quote)
  return fc.oneof(
    literal,
    fc
      .tuple(literal, fc.constantFrom('.*', '[0-9]+', '|', '\\d', '.'), literal)
      .map(p => p.join('')),
    literal.map(text => `(?i)${text}`),
    literal.map(text => `^${text}`),
    literal.map(text => `${text}$`),
    arbitraryExpression,
  )
}

function conditionsOn(list: readonly string[]): fc.Arbitrary<Condition> {
  const whole = fc.constantFrom('', ...list.map(text => Buffer.from(text, 'latin1').toString()))
  return fc.oneof(
    { weight: 4, arbitrary: needleFrom(list).map(contains) },
    { weight: 2, arbitrary: fc.oneof(whole, needleFrom(list)).map(equals) },
    {
      weight: 1,
      arbitrary: expressionFrom(list).map(text => conditionOfFilter({ operator: '|~', text })),
    },
    {
      weight: 1,
      arbitrary: expressionFrom(list).map(value => conditionOfMatcher({ operator: '=~', value })),
    },
  )
}

t.test('a template column finds what the plain way finds', async () => {
  const questions = messages.chain(list =>
    fc.tuple(fc.constant(list), fc.array(conditionsOn(list), { minLength: 1 }), masksFor(list)),
  )
  forAll(longRuns(3_000), questions, ([list, conditions, isWanted]) => {
    const values = columnOfBytes(list)
    const plain = new PlainColumn(values)
    const column = reopenTemplate(encodeAnyway(values), list.length)
    for (const condition of conditions) {
      const expected = new Uint8Array(list.length)
      const hits = new Uint8Array(list.length)
      plain.markHits(condition, expected, isWanted)
      column.markHits(condition, hits, isWanted)
      const wantedOf = (marks: Uint8Array) =>
        [...marks.keys()].filter(i => marks[i] === 1 && isWanted?.[i] !== 0)
      assert.deepEqual(wantedOf(hits), wantedOf(expected), JSON.stringify(condition.test))
      const mayPass = column.mayPass(condition.test) || wantedOf(expected).length === 0
      assert.ok(mayPass, 'what the templates rule out is nowhere')
    }
  })
})

const log = [
  'user alice signed in from 10.0.0.7 port 771',
  'user bob signed in from 10.0.0.17 port 7712',
  'user bob signed in from 10.1.0.17 port 17712',
  'session 0012 of node-07 closed',
  'session 0013 of node-17 closed',
  'nothing to do',
  'retry 7 of 9',
  'retry 17 of 9',
]

t.test('a needle is found wherever it lies', async t => {
  const values = columnOfBytes(log)
  const finds = (condition: Condition, expected: number[], message: string) =>
    t.same(findIn(reopenTemplate(encodeAnyway(values), log.length), condition), expected, message)

  const templates = reopenTemplate(encodeAnyway(values), log.length)
  t.equal(templates.mayPass(contains('nowhere at all').test), false, 'templates rule it out')
  finds(contains('signed in from'), [0, 1, 2], 'in a static part')
  finds(contains('771'), [0, 1, 2], 'in variables')
  finds(contains('7712'), [1, 2], 'in some of them')
  finds(contains(' 7712'), [1], 'at the beginning of one, behind a static part')
  finds(contains('17 port'), [1, 2], 'at the end of one, before a static part')
  finds(contains('0.17 port 17'), [2], 'across several')
  finds(contains('bob signed in from 10.0'), [1], 'from word to word')
  finds(contains('session 0012 of node-07 closed'), [3], 'all of a text')
  finds(contains('13 of node-1'), [4], 'at both ends in variables')
  finds(contains('7 closed'), [3, 4], 'a part of a variable before the end')
  finds(contains('10.0.0.1 port'), [], 'across several, but for the end of one')
  finds(contains('7 of'), [6, 7], 'at the end of numbers')
  finds(contains('07 of'), [], 'a zero that numbers do not have in front')
  finds(contains(''), [0, 1, 2, 3, 4, 5, 6, 7], 'nothing at all')
  finds(contains('signed in to'), [], 'nowhere')
  finds(equals(log[1]!), [1], 'equal')
  finds(equals('user bob signed in from 10.0.0.17 port 771'), [], 'equal but for the end')
  finds(matches('.*port \\d{4}'), [1], 'a pattern')
  finds(matches('nothing.*'), [5], 'a pattern on a template without variables')
})

t.test('one needle asks other words of the same variable in another template', async t => {
  const list = ['see 1a b', 'see a b2', 'see 2a b', 'see a b3', 'see 1b b', 'see a a2']
  const column = reopenTemplate(encodeAnyway(columnOfBytes(list)), list.length)
  t.same(findIn(column, contains('a b')), [0, 1, 2, 3])
  t.same(findIn(column, contains('a a')), [5])
})

t.test('only chunks that can decide are read', async t => {
  const users = ['ann', 'ben', 'cat', 'dan', 'eve', 'fay', 'gus']
  const list = Array.from({ length: 500 }, (_, i) => `${users[i % 7]} waited ${i * 7919} ms`)
  const values = columnOfBytes([...list, 'all done', 'all done'])
  const encoded = encodeAnyway(values)
  const reads = (condition: Condition, expected: number[], message: string) => {
    const asked: number[] = []
    const hits = new Uint8Array(502)
    reopenTemplate(encoded, 502, asked).markHits(condition, hits, undefined)
    t.same(asked, expected, message)
  }

  reads(contains(' waited long'), [0], 'nothing, when no template can have the needle')
  reads(contains(' waited '), [0, 1], 'no variables, when a template has it')
  t.equal(encoded.chunks.length, 4, 'the names are in a chunk, the numbers in another')
  reads(contains('Xerxes'), [0, 2], 'no numbers, for a word with letters')
  reads(equals('all done'), [0, 1], 'no variables, when the template has none')
})

t.test('what rules words out of a chunk is made when it pays', async t => {
  const names = ['ann', 'ben', 'cat', 'dan', 'eve', 'fay', 'gus']
  const list = Array.from({ length: 500 }, (_, i) => `${names[i % 7]} waited ${i * 7919} ms`)
  const encoded = encodeAnyway(columnOfBytes(list))
  const asked: number[] = []
  const column = reopenTemplate(encoded, list.length, asked)
  const others = ['Xerxes', 'Yorick', 'Zelda', 'Hugo', 'Igor', 'Kurt', 'Linus', 'Momo', 'Nils']
  const lacks = (word: string) => t.same(findIn(column, contains(word)), [], word)

  lacks(others[0]!)
  const { heldBytes } = column
  for (const word of others.slice(1)) lacks(word)
  t.equal(column.heldBytes, heldBytes, 'not for nine searches of what is in memory')
  lacks('Olga')
  t.ok(column.heldBytes >= heldBytes + 4_096, 'at the tenth')
  t.same(asked, [0, 2], 'each chunk was read once')

  const shed: number[] = []
  const seldom = reopenTemplate(encoded, list.length, shed)
  const readFor = ['Xerxes', 'Yorick', 'Zelda'].map(word => {
    seldom.shed()
    findIn(seldom, contains(word))
    return shed.filter(chunk => chunk === 2).length
  })
  t.same(readFor, [1, 2, 2], 'or when the chunk has to be read again, and then never again')
})

t.test('a column says what it holds in memory', async t => {
  const encoded = encodeAnyway(columnOfBytes(log))
  const column = reopenTemplate(encoded, log.length)
  t.equal(column.heldBytes, 0, 'nothing before it is asked')
  column.toTextColumn()
  const bytes = encoded.chunks.reduce((sum, { length }) => sum + length, 0)
  t.ok(column.heldBytes >= bytes, 'all chunks, once it was rebuilt')
  const { heldBytes } = column
  column.toTextColumn()
  t.equal(column.heldBytes, heldBytes, 'no more the second time')
})
