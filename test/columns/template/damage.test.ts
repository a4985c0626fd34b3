import t from 'tap'
import type { EncodedColumn } from '../../../src/columns/column.ts'
import { openTemplate } from '../../../src/columns/template/open.ts'
import { columnOfBytes, encodeAnyway } from './messages.ts'

const list = Array.from(
  { length: 600 },
  (_, i) =>
    `${i % 3 === 0 ? 'job' : 'task'} ${i * 7919} of host${i % 5} ${i.toString(16).padStart(8, '0')} x${i ** 3}`,
)
const encoded = encodeAnyway(columnOfBytes(list))

function readAll(
  { meta, chunks }: Omit<EncodedColumn, 'encoding'>,
  valueCount = list.length,
): void {
  openTemplate(meta, valueCount, index => chunks[index]!).toTextColumn()
}

/** The column with one chunk changed. */
function withChunk(index: number, change: (chunk: Buffer) => Buffer) {
  return { meta: encoded.meta, chunks: encoded.chunks.with(index, change(encoded.chunks[index]!)) }
}

t.test('an intact column is read', async t => {
  t.ok(encoded.chunks.length >= 6, 'it has chunks of every kind')
  readAll(encoded)
})

t.test('a chunk that is too short or too long is refused', async t => {
  const isRefused = (index: number, change: (chunk: Buffer) => Buffer) => {
    try {
      readAll(withChunk(index, change))
      return false
    } catch (error) {
      return error instanceof RangeError
    }
  }
  encoded.chunks.forEach((chunk, index) => {
    const taken: number[] = []
    for (let length = 0; length < chunk.length; length += index === 0 ? 1 : 97) {
      if (!isRefused(index, bytes => bytes.subarray(0, length))) taken.push(length)
    }
    t.same(taken, [], `no beginning of chunk ${index} is taken for it`)
    t.ok(
      isRefused(index, bytes => Buffer.concat([bytes, Buffer.alloc(1)])),
      `chunk ${index} and one more byte`,
    )
  })
})

t.test('a directory of other texts is refused', async t => {
  const refuses = (column: Omit<EncodedColumn, 'encoding'>, valueCount: number, message: string) =>
    t.throws(() => readAll(column, valueCount), RangeError, message)
  const { chunks } = encoded

  refuses({ meta: 'two', chunks }, list.length, 'no number of templates')
  refuses({ meta: -1, chunks }, list.length, 'less than no templates')
  refuses({ meta: 3, chunks }, list.length, 'more templates than it has')
  refuses({ meta: 1, chunks }, list.length, 'fewer templates than it has')
  refuses({ meta: list.length + 1, chunks }, list.length, 'more templates than texts')
  refuses(encoded, list.length - 1, 'fewer texts')
  refuses(encoded, list.length + 1, 'more texts')
})

t.test('numbers of templates that contradict the directory are refused', async t => {
  const refuses = (change: (ids: Buffer) => Buffer, message: string) =>
    t.throws(() => readAll(withChunk(1, ids => change(Buffer.from(ids)))), RangeError, message)

  refuses(ids => ids.fill(0), 'all of one template')
  refuses(ids => ids.fill(2, 0, 1), 'a template that does not exist')
})

t.test('variables that contradict themselves are refused', async t => {
  const refuses = (make: (index: number) => string, message: string) => {
    const texts = Array.from({ length: 400 }, (_, index) => make(index))
    const { meta, chunks } = encodeAnyway(columnOfBytes(texts))
    t.equal(chunks.length, 3, `${message}: one chunk of variables`)
    readAll({ meta, chunks }, texts.length)
    const changed = Buffer.from(chunks[2]!).fill(0xff, 0, 1)
    t.throws(() => readAll({ meta, chunks: chunks.with(2, changed) }, texts.length), RangeError)
  }

  refuses(i => `of host${i % 5}x`, 'the number of a word that a dictionary does not have')
  refuses(i => `to ${'z'.repeat(i % 7)}${i}`, 'lengths that do not add up')
})
