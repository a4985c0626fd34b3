/** Chunks in memory that is used again: what a column keeps of them is its own. */
import fc from 'fast-check'
import t from 'tap'
import type { ChunkSource, EncodedColumn, TextColumn } from '../../src/columns/column.ts'
import { encodeDictionary } from '../../src/columns/dictionary.ts'
import { encodeFixedPoint } from '../../src/columns/fixed-point.ts'
import { encodeHex } from '../../src/columns/hex.ts'
import { encodeInteger } from '../../src/columns/integer.ts'
import { openColumn } from '../../src/columns/open.ts'
import { encodeTemplate } from '../../src/columns/template/encode.ts'
import { encodeText } from '../../src/columns/text.ts'
import { bytesOf, columnOf } from './arbitraries.ts'
import { throughMsgpack } from './reopen.ts'

/** Chunks, those that may be lent in the same memory each time, which `spoil` overwrites. */
function lending({ chunks }: EncodedColumn) {
  const lent: Buffer[] = []
  let lentCount = 0
  const chunk: ChunkSource = (index, isLent) => {
    if (isLent !== true) return Buffer.from(chunks[index]!)
    lentCount++
    lent[index] ??= Buffer.alloc(chunks[index]!.length)
    lent[index].set(chunks[index]!)
    return lent[index]
  }
  const spoil = () => {
    for (const memory of lent) memory?.fill(0xff)
  }
  return { chunk, spoil, lentCount: () => lentCount }
}

const encoders = {
  dictionary: encodeDictionary,
  integer: encodeInteger,
  'fixed-point': encodeFixedPoint,
  hex: encodeHex,
  template: encodeTemplate,
  text: encodeText,
}

/** Of each encoding: values whose numbers, codes or templates take one plane, and some whose take more. */
const values = {
  dictionary: (i: number, few: number) => `value ${i % few} of ${few}`,
  integer: (i: number, few: number) => String((i * 7_919) % (few * few * few)),
  'fixed-point': (i: number, few: number) => String(((i * 7_919) % (few * few)) / 100),
  hex: (i: number, few: number) => ((i * 7_919) % few).toString(16).padStart(8, '0'),
  template: (i: number, few: number) => `${letters(i % few)} has ${i} of ${i % few}`,
  text: (i: number, few: number) => 'é'.repeat(i % few) + i,
}

function letters(number: number): string {
  return number.toString(26).replace(/[0-9]/g, digit => 'qrstuvwxyz'[Number(digit)]!)
}

for (const [name, encode] of Object.entries(encoders)) {
  t.test(
    `${name}: what was read stays as it was when the memory of its chunks is used again`,
    t => {
      let lentInAll = 0
      const property = (few: number, count: number) => {
        const of = values[name as keyof typeof values]
        const column: TextColumn = columnOf(Array.from({ length: count }, (_, i) => of(i, few)))
        const encoded = encode(column)
        if (encoded === undefined) return
        const { chunk, spoil, lentCount } = lending(encoded)
        const meta = throughMsgpack(encoded.meta)
        const open = () => openColumn(encoded.encoding, meta, count, chunk)
        const asSingles = open()
        const single = asSingles.textAt(count - 1)
        spoil()
        t.equal(asSingles.textAt(count - 1), single)
        const opened = open()
        const asked = () => ({
          codes: opened.codes?.()?.codes.slice(),
          numbers: opened.numbers?.(),
          patterns: opened.patternCodes?.().codes.slice(),
          texts: bytesOf(opened.toTextColumn()),
        })
        const first = asked()
        t.same(first.texts, bytesOf(column))
        spoil()
        t.same(asked(), first)
        lentInAll += lentCount()
      }
      const counts = fc.integer({ min: 3, max: 3_000 })
      fc.assert(fc.property(fc.constantFrom(3, 200, 700), counts, property), { numRuns: 20 })
      property(700, 3_000)
      t.equal(lentInAll > 0, name !== 'hex', 'chunks were lent')
      t.end()
    },
  )
}
