/** References to chunks, kept as plain numbers. */
import fc from 'fast-check'
import t from 'tap'
import { compressions } from '../../src/segment/chunk.ts'
import { ChunkTable, SomeChunks } from '../../src/segment/chunk-references.ts'
import { Fields } from '../../src/segment/packed-fields.ts'

const reference = fc.record({
  offset: fc.nat(2 ** 40),
  storedBytes: fc.nat(2 ** 31),
  rawBytes: fc.nat(2 ** 31),
  crc: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  compression: fc.constantFrom(...compressions),
})
type Reference = typeof reference extends fc.Arbitrary<infer T> ? T : never

function fieldsOf(references: readonly Reference[]): Fields {
  return new Fields(
    references.flatMap(({ offset, storedBytes, rawBytes, crc, compression }) => {
      return [offset, storedBytes, rawBytes, crc, compressions.indexOf(compression)]
    }),
  )
}

t.test('they are read as they were written, and there are no others', async () => {
  const lists = fc.array(fc.array(reference, { maxLength: 5 }), { maxLength: 8 })
  fc.assert(
    fc.property(lists, lists => {
      const table = new ChunkTable()
      const firsts = lists.map(list => {
        const first = table.length
        const fields = fieldsOf(list)
        while (!fields.isAtEnd) table.take(fields, 2 ** 42)
        return first
      })
      table.close()
      return lists.every((list, i) => {
        const chunks = new SomeChunks(table, firsts[i]!, list.length)
        const single = list.map((_, index) => chunks.at(index))
        const isEnd = chunks.length === list.length && chunks.at(list.length) === undefined
        const written = JSON.stringify(list)
        return (
          isEnd && JSON.stringify([...chunks]) === written && JSON.stringify(single) === written
        )
      })
    }),
  )
})

t.test('one that lies behind its block, or says too little, is none', async t => {
  const whole = { offset: 90, storedBytes: 10, rawBytes: 10, crc: 0, compression: 'none' } as const
  const table = new ChunkTable()
  table.take(fieldsOf([whole]), 100)
  t.throws(() => table.take(fieldsOf([{ ...whole, storedBytes: 11 }]), 100), /behind its block/)
  t.throws(() => table.take(new Fields([90, 10, 10, 0]), 100), /expected more than 4 fields/)
  t.throws(() => table.take(new Fields([90, 10, 10, 0, 2]), 100), /no choice 2/)
  t.throws(() => table.take(new Fields([90, -10, 10, 0, 0]), 100), /no negative number/)
  t.equal(table.length, 1)
})
