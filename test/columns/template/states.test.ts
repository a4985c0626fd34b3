import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { PlainColumn } from '../../../src/columns/plain.ts'
import { verdictOnTemplate } from '../../../src/columns/search.ts'
import {
  type Condition,
  conditionOfFilter,
  conditionOfMatcher,
  passes,
} from '../../../src/match/condition.ts'
import { forAll } from '../../for-all.ts'
import { longRuns } from '../../long-runs.ts'
import { arbitraryExpression } from '../../query/expressions.ts'
import { masksFor } from '../arbitraries.ts'
import { columnOfBytes, encodeAnyway, messages, reopenTemplate } from './messages.ts'

const quote = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Cuts of messages with what stands for words between them, so that some match and some do not. */
function expressionFrom(list: readonly string[]): fc.Arbitrary<string> {
  const texts = list.map(message => Buffer.from(message, 'latin1').toString())
  const cut = fc
    .tuple(fc.constantFrom('', ...texts), fc.nat(), fc.nat(9))
    .map(([text, start, length]) => text.slice(start % (text.length + 1)).slice(0, length))
  const between = fc.constantFrom(
    ...['.*', '.+', '\\d+', '\\w+', '[0-9a-f]+', '[a-z]*', '\\d{2,3}', '\\b', '.', '|', '(?s).*'],
    ...['[^ ]+', '(?:1|2|a)+', '$', '^', '\\B', '[^0]', '(?:same1|red)', '\\S+ ', '(?m)$'],
  )
  const parts = fc.array(fc.oneof(cut.map(quote), between, arbitraryExpression), {
    minLength: 1,
    maxLength: 4,
  })
  return parts.map(list => list.join(''))
}

function conditionFrom(list: readonly string[]): fc.Arbitrary<Condition> {
  return fc
    .tuple(expressionFrom(list), fc.boolean())
    .map(([text, isAnchored]) =>
      isAnchored
        ? conditionOfMatcher({ operator: '=~', value: text })
        : conditionOfFilter({ operator: '|~', text }),
    )
}

t.test('expressions go over templates as they go over texts', async () => {
  const questions = messages.chain(list =>
    fc.tuple(
      fc.constant(list),
      fc.array(conditionFrom(list), { minLength: 1, maxLength: 5 }),
      masksFor(list),
    ),
  )
  forAll(longRuns(3_000), questions, ([list, conditions, isWanted]) => {
    const values = columnOfBytes(list)
    const plain = new PlainColumn(values)
    const column = reopenTemplate(encodeAnyway(values), list.length)
    const ids = column.templateIds()
    for (const { test, isNegated } of conditions) {
      const what = test.kind === 'matches' ? test.pattern.source : ''
      const expected = list.map((_, i) => passes(test, plain.textAt(i)))
      const hits = new Uint8Array(list.length)
      column.markHits({ test, isNegated }, hits, isWanted)
      expected.forEach((passes, i) => {
        if (isWanted?.[i] !== 0) assert.equal(hits[i] === 1, passes, `${what} on ${list[i]}`)
      })
      const count = column.countHits(test)
      if (count !== undefined) assert.equal(count, expected.filter(Boolean).length, what)
      for (let id = 0; id < column.templates.length; id++) {
        const verdict = verdictOnTemplate(column.templates.at(id).text, test, () => true)
        if (verdict === 'some') continue
        const ofTemplate = expected.filter((_, i) => ids[i] === id)
        assert.ok(!ofTemplate.includes(verdict === 'none'), `${what} on template ${id}`)
      }
    }
  })
})

const users = ['root', 'ann', 'ben', 'cat', 'dan', 'eve']
const log = Array.from(
  { length: 600 },
  (_, i) => `rhost=10.0.${i % 7}.${i % 250} port ${40_000 + i * 31} user=${users[i % 6]}`,
)

t.test('variables are read only where they decide', async t => {
  const values = columnOfBytes([...log, 'all done', 'all done'])
  const encoded = encodeAnyway(values)
  const reads = (text: string, count: number, chunks: number, message: string) => {
    const asked: number[] = []
    const column = reopenTemplate(encoded, log.length + 2, asked)
    t.equal(column.countHits(conditionOfFilter({ operator: '|~', text }).test), count, message)
    t.equal(asked.length, chunks, `${message}: chunks`)
  }

  t.equal(encoded.chunks.length, 4, 'templates, which text has which, names, numbers')
  reads('port \\d+ user=', 600, 1, 'the slot has integers only')
  reads('port \\d+ (?:by|of) user', 0, 1, 'no template goes on like that')
  reads('rhost=[0-9.]+ .*user=', 600, 1, 'whatever the address')
  reads('rhost=[0-9.]+ .*user=root$', 100, 2, 'the name decides, no number does')
  reads('port 4000\\d ', 1, 2, 'a number decides, no name does')
  reads('rhost=.*\\.3 .*user=(?:root|ann)', 1, 3, 'both do')
  reads('^all [a-z]+$', 2, 1, 'a template without variables')
})

t.test('a word leads elsewhere from another state', async t => {
  const names = users.map(user => `${user}1`)
  const met = Array.from(
    { length: 360 },
    (_, i) => `${names[i % 6]} met ${names[((i / 6) % 6) | 0]}`,
  )
  const column = reopenTemplate(encodeAnyway(columnOfBytes(met)), met.length)
  const counts = (text: string) =>
    column.countHits(conditionOfFilter({ operator: '|~', text }).test)
  t.equal(counts('^(?:ann1 met ben1|ben1 met ann1)$'), 20)
  t.equal(counts('ann1 met (?:cat|dan|root)|(?:cat|eve)1 met ben1'), 50)
})

t.test('more templates than an expression remembers, and one of hundreds of variables', async t => {
  const fields = (count: number, i: number) =>
    Array.from({ length: count }, (_, at) => `${i * 31 + at}`)
  /** A template for each: what stands between the numbers is `i` with the base of 3. */
  const many = Array.from({ length: 1_600 }, (_, i) =>
    fields(16, i)
      .map((field, at) => field + '-/:'[Math.floor(i / 3 ** at) % 3])
      .join(''),
  )
  const wide = Array.from({ length: 8 }, (_, i) => `wide ${fields(700, i).join(' ')} end`)
  const list = [...many, ...wide, ...many]
  const column = reopenTemplate(encodeAnyway(columnOfBytes(list)), list.length)
  t.equal(column.templates.length, 1_601)
  for (const text of ['^\\d+-\\d+/.*-\\d*7-$', '^wide (?:[0-9]+ )+3[0-9] (?:[0-9]+ )+end']) {
    const expected = list.filter(one => new RegExp(text).test(one)).length
    t.ok(expected > 0)
    t.equal(column.countHits(conditionOfFilter({ operator: '|~', text }).test), expected)
  }
})

t.test('what has too many states is matched text by text', async t => {
  const letters = (i: number) =>
    Array.from({ length: 90 }, (_, at) => ((i + 3) * (at + 7) * 7919) % 97)
  const list = Array.from(
    { length: 300 },
    (_, i) =>
      `at ${i} ${letters(i)
        .map(n => (n < 48 ? 'a1' : 'b2'))
        .join('')}`,
  )
  const values = columnOfBytes(list)
  const plain = new PlainColumn(values)
  const column = reopenTemplate(encodeAnyway(values), list.length)
  const condition = conditionOfFilter({ operator: '|~', text: 'a1[ab12]{60}b2b2a' })
  const expected = new Uint8Array(list.length)
  const hits = new Uint8Array(list.length)
  plain.markHits(condition, expected, undefined)
  column.markHits(condition, hits, undefined)
  t.same([...hits], [...expected])
  t.ok(expected.includes(1) && expected.includes(0), 'some match')
  t.equal(column.countHits(condition.test), undefined, 'and are not counted without their texts')
})
