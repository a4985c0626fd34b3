import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { TextColumn } from '../../src/columns/column.ts'
import { openColumn } from '../../src/columns/open.ts'
import { offsetsFrom } from '../../src/columns/plain.ts'
import { BlockBuilder, type RowSource } from '../../src/segment/block-builder.ts'
import type { BlockToWrite, ColumnToWrite } from '../../src/segment/segment-writer.ts'
import { forAll } from '../for-all.ts'

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

function textsIn({ column, valueCount }: ColumnToWrite): string[] {
  const opened = openColumn(column.encoding, column.meta, valueCount, i => column.chunks[i]!)
  return Array.from({ length: valueCount }, (_, i) => opened.textAt(i))
}

function messagesOf({ columns }: BlockToWrite): string[] {
  return textsIn(columns.find(({ role }) => role === 'message')!)
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

t.test(
  'values of an attribute are found wherever and in whatever order their rows stand',
  async () => {
    const rowCount = 3_000
    const asked = fc.record({
      /** Rows that have the attribute, and those that are taken. */
      present: fc.uniqueArray(fc.nat(rowCount - 1), { minLength: 1, maxLength: 200 }),
      taken: fc.uniqueArray(fc.nat(rowCount - 1), { minLength: 1, maxLength: 200 }),
      /** Both also take some stretch. */
      stretch: fc.tuple(fc.nat(rowCount - 1), fc.nat(400)),
      isBackwards: fc.boolean(),
    })
    forAll({ numRuns: 300 }, asked, ({ present, taken, stretch: [start, length], isBackwards }) => {
      const stretch = Array.from({ length }, (_, i) => start + i).filter(row => row < rowCount)
      const ascending = (rows: readonly number[]) =>
        [...new Set([...rows, ...stretch])].sort((a, b) => a - b)
      const presentRows = ascending(present)
      const texts = textsOf(presentRows.map(row => `value ${row}`))
      const all = textsOf(Array.from({ length: rowCount }, (_, row) => `m${row}`))
      const builder = new BlockBuilder(stream)
      builder.add(
        {
          timestamp: row => (isBackwards ? rowCount - row : (row * 7) % rowCount),
          sequence: row => row,
          level: () => 'info',
          message: all,
          attributeNames: ['a'],
          attribute: () => ({ texts, rows: Uint32Array.from(presentRows) }),
        },
        ascending(taken),
      )
      const [block] = builder.blocks()
      const rowsInOrder = messagesOf(block!).map(message => Number(message.slice(1)))
      const has = new Set(presentRows)
      const expected = rowsInOrder.filter(row => has.has(row)).map(row => `value ${row}`)
      const column = block!.columns.find(({ role }) => role === 'attribute')
      assert.deepEqual(column === undefined ? [] : textsIn(column), expected)
    })
  },
)
