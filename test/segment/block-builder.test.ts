import t from 'tap'
import { BlockBuilder, type RowSource } from '../../src/segment/block-builder.ts'
import type { TextColumn } from '../../src/segment/columns/column.ts'
import { openColumn } from '../../src/segment/columns/open.ts'
import { offsetsFrom } from '../../src/segment/columns/plain.ts'
import type { BlockToWrite } from '../../src/segment/segment-writer.ts'

const stream = { service: 'a', environment: 'b' }
const rowsPerSource = 10_000
const rows = Array.from({ length: rowsPerSource }, (_, row) => row)

/** Sources of records whose times follow one another; `held`: those that have something in memory. */
function makeSources(count: number) {
  const held = new Set<number>()
  const sources = Array.from({ length: count }, (_, number): RowSource => {
    const first = number * rowsPerSource
    const texts = textsOf(rows.map(row => `n${first + row}`))
    const read = <T>(value: T): T => {
      held.add(number)
      return value
    }
    return {
      timestamp: row => read(first + row),
      sequence: row => read(first + row),
      level: () => read('info'),
      get message() {
        return read(texts)
      },
      attributeNames: [`only-${number}`],
      attribute: name => read(name === `only-${number}` ? { texts, rows: undefined } : undefined),
      release: () => held.delete(number),
    }
  })
  return { held, sources }
}

function textsOf(values: readonly string[]): TextColumn {
  const parts = values.map(value => Buffer.from(value))
  return { offsets: offsetsFrom(parts.map(({ length }) => length)), bytes: Buffer.concat(parts) }
}

function messagesOf({ columns }: BlockToWrite): string[] {
  const { column, valueCount } = columns.find(({ role }) => role === 'message')!
  const opened = openColumn(column.encoding, column.meta, valueCount, i => column.chunks[i]!)
  return Array.from({ length: valueCount }, (_, i) => opened.textAt(i))
}

t.test('sources are in memory only while blocks take records from them', async t => {
  const { held, sources } = makeSources(8)
  const builder = new BlockBuilder(stream)
  for (const source of sources) {
    builder.add(source, rows)
    t.equal(held.size, 0, 'what a source told when it was added is not kept there')
  }
  const messages: string[] = []
  const heldAtOnce: number[] = []
  for (const block of builder.blocks()) {
    messages.push(...messagesOf(block))
    heldAtOnce.push(held.size)
    const names = block.columns.filter(({ role }) => role === 'attribute').map(({ name }) => name)
    t.same(
      names,
      [...held].map(number => `only-${number}`),
    )
  }
  t.same(heldAtOnce, [3, 4, 3], 'of eight')
  t.equal(held.size, 0)
  t.same(
    messages,
    Array.from({ length: 80_000 }, (_, i) => `n${i}`),
  )
})
