/** Segments for tests: blocks made by hand or at random, written, and read back whole. */
import fs from 'node:fs'
import { dirname } from 'node:path'
import fc from 'fast-check'
import { columnRoles } from '../../src/segment/block-directory.ts'
import { openBlock } from '../../src/segment/block-reader.ts'
import { filterPageBytes } from '../../src/segment/filter-pages.ts'
import type { FooterInfo, SegmentFooter } from '../../src/segment/footer.ts'
import { presenceBytes } from '../../src/segment/presence.ts'
import { SegmentFile } from '../../src/segment/segment-file.ts'
import {
  type BlockToWrite,
  type ColumnToWrite,
  SegmentWriter,
} from '../../src/segment/segment-writer.ts'
import { DigitRuns } from '../../src/segment/skip/digit-runs.ts'
import { LetterRuns } from '../../src/segment/skip/letter-runs.ts'
import { buildTokenFilter } from '../../src/segment/token-filter.ts'
import { textColumn } from './texts.ts'

export const info: FooterInfo = {
  createdAt: 1_795_000_000_000,
  replaces: { journals: [3, 4], segments: [] },
  group: [7, 8],
}

function lettersOf(texts: readonly string[]) {
  const all = new LetterRuns().addTexts(textColumn(texts))
  return { all, variable: all }
}

/** A block of ten records with a column of each kind, of little content. */
export function smallBlock(name: string): BlockToWrite {
  const message = Buffer.from(`${name}: `.repeat(60))
  const column = (role: ColumnToWrite['role'], chunks: Buffer[]): ColumnToWrite => ({
    role,
    name: role,
    column: { encoding: 'text', meta: { of: name }, chunks },
    valueCount: 10,
    presence: undefined,
  })
  const sparse = { ...column('attribute', [Buffer.from(name)]), name: 'sparse', valueCount: 3 }
  return {
    stream: { service: name, environment: 'test' },
    recordCount: 10,
    minTimestamp: -5,
    maxTimestamp: 1_795_000_000_000,
    minSequence: 1,
    maxSequence: 2 ** 40,
    levelCounts: [
      ['info', 9],
      ['error', 1],
    ],
    columns: [
      column('timestamp', [Buffer.alloc(40, 1)]),
      column('message', [message, Buffer.from(name)]),
      { ...sparse, presence: Uint8Array.of(0b1000_0001, 0b10) },
    ],
    filter: buildTokenFilter([textColumn([name, 'a few words'])]),
    letters: lettersOf([name]),
    digits: new DigitRuns().addTexts(textColumn([name])),
    templates: undefined,
    patterns: undefined,
  }
}

/** Writes a segment; its directory is made when it is missing. */
export function writeSegment(
  path: string,
  number: number,
  blocks: readonly BlockToWrite[],
  footerInfo = info,
): SegmentFooter {
  fs.mkdirSync(dirname(path), { recursive: true })
  const writer = new SegmentWriter(path, number)
  for (const block of blocks) writer.addBlock(block)
  return writer.finish(footerInfo)
}

/** A block as its parts come back from a file, in a form to compare. */
export interface ReadBack {
  readonly facts: unknown
  readonly columns: unknown[]
  readonly filter: string | undefined
}

/** Reads every part of each block of a footer, or undefined for a block for which `guard` gives up. */
export function readBack(
  path: string,
  footer: SegmentFooter,
  guard: (read: () => ReadBack) => ReadBack | undefined = read => read(),
): (ReadBack | undefined)[] {
  const file = new SegmentFile(path, footer.number)
  try {
    return footer.blocks.map(({ directory: reference }) =>
      guard(() => {
        const block = openBlock(file, reference)
        const { columns, filter, ...facts } = block.directory
        const pages = block.filter()
        return {
          facts,
          columns: columns.map(column => ({
            role: column.role,
            name: column.name,
            encoding: column.encoding,
            meta: column.meta,
            valueCount: column.valueCount,
            presence: hex(block.presence(column)),
            chunks: Array.from(column.chunks, (_, index) => hex(block.chunkSource(column)(index))),
          })),
          filter: pages && pageContents(pages.pageCount, pages.readPage),
        }
      }),
    )
  } finally {
    file.close()
  }
}

/** What `readBack` must give for a block. */
export function expectedBack(block: BlockToWrite): ReadBack {
  const { columns, filter, letters: _, digits: __, ...others } = block
  const { templates: ___, patterns: ____, ...facts } = others
  return {
    facts,
    columns: columns.map(({ role, name, column, valueCount, presence }) => ({
      role,
      name,
      encoding: column.encoding,
      meta: column.meta,
      valueCount,
      presence: hex(presence),
      chunks: column.chunks.map(hex),
    })),
    filter:
      filter &&
      pageContents(filter.length / filterPageBytes, index =>
        filter.subarray(index * filterPageBytes, (index + 1) * filterPageBytes),
      ),
  }
}

function pageContents(pageCount: number, readPage: (index: number) => Buffer): string {
  return Array.from({ length: pageCount }, (_, i) => hex(readPage(i).subarray(0, 60))).join()
}

/** Bytes that no compression makes fewer. */
export function noise(length: number): Buffer {
  let state = 1
  return Buffer.from(
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state >>> 24
    }),
  )
}

function hex(bytes: Uint8Array | undefined): string | undefined {
  return bytes && Buffer.from(bytes).toString('hex')
}

const chunk = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.uint8Array({ minLength: 100, maxLength: 300 }), // Does not compress.
  fc.tuple(fc.nat(255), fc.nat(5_000)).map(([byte, length]) => Buffer.alloc(length, byte)),
)

const meta = fc.oneof(
  fc.constant(null),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter(value => !Object.is(value, -0)),
  fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.maxSafeInteger(), fc.boolean())),
)

function arbitraryColumn(recordCount: number): fc.Arbitrary<ColumnToWrite> {
  const presence = fc.option(
    fc.array(fc.boolean(), { minLength: recordCount, maxLength: recordCount }),
    { nil: undefined },
  )
  return fc
    .record({
      role: fc.constantFrom(...columnRoles),
      name: fc.string({ unit: 'grapheme' }),
      encoding: fc.constantFrom('constant', 'template' as const),
      meta,
      chunks: fc.array(chunk, { maxLength: 4 }),
      has: presence,
    })
    .map(({ role, name, encoding, meta, chunks, has }) => ({
      role,
      name,
      column: { encoding, meta, chunks: chunks.map(bytes => Buffer.from(bytes)) },
      valueCount: has === undefined ? recordCount : has.filter(bit => bit).length,
      presence: has && bitmapOf(has),
    }))
}

function bitmapOf(has: readonly boolean[]): Uint8Array {
  const bitmap = new Uint8Array(presenceBytes(has.length))
  has.forEach((bit, record) => {
    if (bit) bitmap[record >> 3]! |= 1 << (record & 7)
  })
  return bitmap
}

const timestamp = fc.oneof(fc.integer(), fc.integer({ min: -8.64e15, max: 8.64e15 }))

export const arbitraryBlock: fc.Arbitrary<BlockToWrite> = fc.nat(40).chain(more => {
  const recordCount = more + 1
  return fc
    .record({
      service: fc.string({ unit: 'grapheme', minLength: 1 }),
      environment: fc.constantFrom('prod', 'test'),
      times: fc.tuple(timestamp, timestamp),
      sequences: fc.tuple(fc.maxSafeNat(), fc.maxSafeNat()),
      errorCount: fc.nat(recordCount),
      columns: fc.array(arbitraryColumn(recordCount), { maxLength: 5 }),
      words: fc.option(fc.array(fc.string(), { maxLength: 100 }), { nil: undefined }),
      messages: fc.array(fc.string(), { maxLength: 100 }),
    })
    .map(({ service, environment, times, sequences, errorCount, columns, words, messages }) => ({
      stream: { service, environment },
      recordCount,
      minTimestamp: Math.min(...times),
      maxTimestamp: Math.max(...times),
      minSequence: Math.min(...sequences),
      maxSequence: Math.max(...sequences),
      levelCounts: [
        ['error', errorCount],
        ['info', recordCount - errorCount],
      ],
      columns,
      filter: words && buildTokenFilter([textColumn(words)]),
      letters: lettersOf(messages),
      digits: new DigitRuns().addTexts(textColumn(messages)),
      templates: undefined,
      patterns: undefined,
    }))
})
