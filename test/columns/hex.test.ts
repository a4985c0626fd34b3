import t from 'tap'
import { encodeHex } from '../../src/columns/hex.ts'
import { bytesOf, columnOf } from './arbitraries.ts'
import { contains, equals, findIn, matches, reopen } from './reopen.ts'

const uuids = ['0b5a7c1e-9d2f-4e6a-8b1c-2d3e4f5a6b7c', '00000000-0000-0000-0000-00000000000f']

t.test('hexadecimal of one even length and UUIDs take half the bytes or fewer', async t => {
  const takes = (texts: string[], bytes: number) => {
    const encoded = encodeHex(columnOf(texts))!
    t.equal(encoded.chunks[0]!.length, bytes)
    const column = reopen(encoded, texts.length)
    t.same(bytesOf(column.toTextColumn()), texts)
    t.equal(column.textAt(1), texts[1])
  }
  takes(['deadbeef', '01234567'], 8)
  takes(['00112233445566778899aabbccddeeff', '0'.repeat(32)], 32)
  takes(uuids, 32)
  takes(['0'.repeat(36), 'f'.repeat(36)], 36)
})

t.test('what would not come back exactly is refused', async t => {
  const refuses = (...texts: string[]) => t.equal(encodeHex(columnOf(texts)), undefined, `${texts}`)
  refuses('abcdef', 'abcdef')
  refuses('deadbeef0', 'deadbeef1')
  refuses('deadbeef', 'deadbeef00')
  refuses('deadbeef', 'DEADBEEF')
  refuses('deadbeef', 'deadbeeg')
  refuses('dead-bee', 'dead-bee')
  refuses(uuids[0]!, uuids[0]!.toUpperCase())
  refuses(uuids[0]!, uuids[0]!.replaceAll('-', '0'))
  refuses('0'.repeat(36), uuids[0]!)
  refuses(uuids[0]!, '0b5a7c1e9-d2f-4e6a-8b1c-2d3e4f5a6b7c')
  refuses(uuids[0]!, '0b5a7c1e-9d2f-4e6a-8b1c-2d3e4f5a6b7-')
})

t.test('only whole values are equal, also where their bytes repeat across two', async t => {
  const texts = ['00aa00aa', 'aa00aa00', 'aa00aa00', '00aa00aa', '00000000', '00000000']
  const column = reopen(encodeHex(columnOf(texts))!, texts.length)
  t.same(findIn(column, equals('aa00aa00')), [1, 2])
  t.same(findIn(column, equals('00aa00aa')), [0, 3])
  t.same(findIn(column, equals('00000000')), [4, 5])
  t.same(findIn(column, equals('AA00AA00')), [])
  const overlapping = ['0000aabb', 'aabbaabb']
  const across = reopen(encodeHex(columnOf(overlapping))!, 2)
  t.same(findIn(across, equals('aabbaabb')), [1])
})

t.test('values that end alike are told apart, however many there are', async t => {
  const ends = 'ffeeddccbbaa99887766'
  const texts = Array.from({ length: 200 }, (_, i) => `${`${i % 150}`.padStart(12, '0')}${ends}`)
  const column = reopen(encodeHex(columnOf(texts))!, texts.length)
  t.same(findIn(column, equals(texts[0]!)), [0, 150])
  t.same(findIn(column, equals(texts[49]!)), [49, 199])
  t.same(findIn(column, equals(texts[63]!)), [63])
  t.same(findIn(column, equals(texts[64]!)), [64])
  t.same(findIn(column, equals(texts[149]!)), [149])
  t.same(findIn(column, equals(`999999999999${ends}`)), [])
})

t.test('parts are found at odd digits, across groups, and never across values', async t => {
  const column = reopen(encodeHex(columnOf(uuids))!, 2)
  const finds = (needle: string, expected: number[]) =>
    t.same(findIn(column, contains(needle)), expected, `"${needle}"`)
  finds('b5a7c1e-9', [0])
  finds('2d3e4f5a6b7c', [0])
  finds('00000000000f', [1])
  finds('-', [0, 1])
  finds('', [0, 1])
  finds('7c00', [])
  finds('0b5a7c1e9d', [])
  finds(uuids[1]!, [1])
  t.same(findIn(column, matches('[0-]+f')), [1])
})

t.test('values that begin with a text are found, to the half of a byte', async t => {
  const finds = (texts: string[], prefix: string) => {
    const hits = new Uint8Array(texts.length)
    reopen(encodeHex(columnOf(texts))!, texts.length).markBeginning!(prefix, hits)
    const expected = texts.map(text => (text.startsWith(prefix) ? 1 : 0))
    t.same([...hits], expected, `"${prefix}"`)
  }
  const digests = ['deadbeef', 'deadbeee', 'dfadbeef', '00000000', 'eadbeef0']
  for (const text of [...digests, 'deadbeef0', 'D', 'x', 'dé', ' ', '-']) {
    for (let length = 1; length <= text.length; length++) finds(digests, text.slice(0, length))
  }
  for (const text of [...uuids, uuids[0]!.replaceAll('-', ''), '-', `${uuids[0]}0`, '0b5a7c1e--']) {
    for (let length = 1; length <= text.length; length++) finds(uuids, text.slice(0, length))
  }
})

t.test('what cannot be found is not looked for', async t => {
  const asked: number[] = []
  const column = reopen(encodeHex(columnOf(uuids))!, 2, asked)
  for (const wanted of ['', 'x', 'deadbeef', `${uuids[0]}0`, uuids[0]!.toUpperCase()]) {
    t.same(findIn(column, equals(wanted)), [])
  }
  for (const needle of ['g', 'A', 'conn', '0 0', '0'.repeat(13), '0'.repeat(32), `${uuids[0]}0`]) {
    t.same(findIn(column, contains(needle)), [])
  }
  t.same(asked, [])
})
