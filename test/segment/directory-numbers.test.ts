/** References to chunks, and lists, kept as plain numbers. */
import fc from 'fast-check'
import t from 'tap'
import { compressions } from '../../src/segment/chunk.ts'
import { chunkNumbers, DirectoryNumbers, SomeChunks } from '../../src/segment/directory-numbers.ts'
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
  const numbers = fc.array(fc.double({ noNaN: true }), { maxLength: 3 })
  const columns = fc.array(fc.record({ numbers, chunks: fc.array(reference, { maxLength: 5 }) }), {
    maxLength: 8,
  })
  fc.assert(
    fc.property(columns, columns => {
      const all = new DirectoryNumbers()
      const starts = columns.map(({ numbers, chunks }) => {
        const start = all.length
        all.takeList(numbers)
        const fields = fieldsOf(chunks)
        while (!fields.isAtEnd) all.takeChunk(fields, 2 ** 42)
        return start
      })
      all.close()
      return columns.every(({ numbers, chunks: written }, i) => {
        const list = all.list(starts[i]!, numbers.length)
        if (!list.every((number, at) => Object.is(number, numbers[at]))) return false
        const chunks = new SomeChunks(all, starts[i]! + numbers.length, written.length)
        const single = written.map((_, index) => chunks.at(index))
        const isEnd = chunks.length === written.length && chunks.at(written.length) === undefined
        const text = JSON.stringify(written)
        return isEnd && JSON.stringify([...chunks]) === text && JSON.stringify(single) === text
      })
    }),
  )
})

t.test('one that lies behind its block, or says too little, is none', async t => {
  const whole = { offset: 90, storedBytes: 10, rawBytes: 10, crc: 0, compression: 'none' } as const
  const numbers = new DirectoryNumbers()
  numbers.takeChunk(fieldsOf([whole]), 100)
  t.throws(
    () => numbers.takeChunk(fieldsOf([{ ...whole, storedBytes: 11 }]), 100),
    /behind its block/,
  )
  t.throws(() => numbers.takeChunk(new Fields([90, 10, 10, 0]), 100), /expected more than 4 fields/)
  t.throws(() => numbers.takeChunk(new Fields([90, 10, 10, 0, 2]), 100), /no choice 2/)
  t.throws(() => numbers.takeChunk(new Fields([90, -10, 10, 0, 0]), 100), /no negative number/)
  t.equal(numbers.length, chunkNumbers)
})
