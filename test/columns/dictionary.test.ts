import t from 'tap'
import { encodeDictionary } from '../../src/columns/dictionary.ts'
import { findDistinct } from '../../src/columns/distinct.ts'
import { bytesOf, columnOf } from './arbitraries.ts'
import { contains, equals, findIn, matches, reopen } from './reopen.ts'

/** `count` values, `distinct` of them different, the same side by side. */
const valuesOf = (count: number, distinct: number) =>
  Array.from({ length: count }, (_, i) => `v${Math.floor((i * distinct) / count)}`)

t.test('dictionaries of every size come back, find and count', async t => {
  const holds = (count: number, distinct: number) => {
    const texts = valuesOf(count, distinct)
    const column = reopen(encodeDictionary(columnOf(texts))!, count)
    t.ok(bytesOf(column.toTextColumn()).every((text, i) => text === texts[i]))
    const expected = texts.flatMap((text, i) => (text === 'v1' ? [i] : []))
    t.same(findIn(column, equals('v1')), expected, `equals among ${distinct}`)
    t.same(findIn(column, matches('v1')), expected, `matches among ${distinct}`)
    t.equal(findIn(column, contains('v')).length, count)
    let total = 0
    column.countValues?.(new Uint8Array(count).fill(1), (_, valueCount) => {
      total += valueCount
    })
    t.equal(total, count)
  }
  holds(9, 3)
  holds(2_000, 256)
  holds(2_000, 257)
  holds(12_000, 5_000)
  holds(131_072, 65_536)
})

t.test('a dictionary that cannot pay is given up', async t => {
  t.equal(encodeDictionary(columnOf(valuesOf(131_074, 65_537))), undefined)
  t.equal(encodeDictionary(columnOf(valuesOf(5_000, 5_000))), undefined)
  t.equal(encodeDictionary(columnOf(['a', 'b', 'a'])), undefined)
})

t.test('a value that is nowhere costs the entries, never the codes', async t => {
  const asked: number[] = []
  const column = reopen(encodeDictionary(columnOf(valuesOf(100, 7)))!, 100, asked)
  t.same(findIn(column, equals('v8')), [])
  t.same(findIn(column, contains('w')), [])
  t.equal(findIn(column, contains('v')).length, 100, 'nor does one that is everywhere')
  t.ok(asked.every(index => index === 0))
})

/** Texts of 8 bytes that the hash cannot tell apart: the second half undoes what the first did. */
function collidingTexts(count: number): Buffer[] {
  return Array.from({ length: count }, (_, i) => {
    let state = Math.imul(8 ^ i, 0x9e3779b1)
    state ^= state >>> 15
    const text = Buffer.alloc(8)
    text.writeInt32LE(i, 0)
    text.writeInt32LE(state, 4)
    return text
  })
}

t.test('values that collide are told apart while they are few, and given up when many', async t => {
  const few = collidingTexts(10)
  const distinct = findDistinct(columnOf([...few, ...few]))
  t.same(distinct?.codes, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  t.equal(findDistinct(columnOf([...collidingTexts(3_000), ...collidingTexts(3_000)])), undefined)
})
