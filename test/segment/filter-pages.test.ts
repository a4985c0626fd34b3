import fs from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import {
  FilterRoom,
  filterPageBytes,
  filterPageReader,
  KeptFilter,
  sealFilterPages,
} from '../../src/segment/filter-pages.ts'
import { SegmentCorrupt } from '../../src/segment/segment-error.ts'
import { SegmentFile } from '../../src/segment/segment-file.ts'
import { forAll } from '../for-all.ts'
import { countedReads } from './counted-reads.ts'

const number = 7
const offset = 100
/** Of a page and the mark whether it was checked. */
const bytesPerPage = filterPageBytes + 1

/** A segment of one filter whose pages differ, and how often it is read. */
function makeFilter(t: Test, pageCount: number, damaged: readonly number[] = []) {
  const path = join(t.testdir(), 'pages')
  const filter = Buffer.alloc(pageCount * filterPageBytes)
  for (let page = 0; page < pageCount; page++) filter.writeUInt32LE(page, page * filterPageBytes)
  sealFilterPages(filter, number, offset)
  for (const page of damaged) filter[page * filterPageBytes + 9]! ^= 1
  fs.writeFileSync(path, Buffer.concat([Buffer.alloc(offset), filter]))
  const { disk, reads } = countedReads()
  const file = new SegmentFile(path, number, disk)
  t.teardown(() => file.close())
  return { file, reference: { offset, pageCount }, reads }
}

/** What a page is found to be, as text; or that it is damaged. */
function outcome(page: () => Buffer): string {
  try {
    return page().toString('hex')
  } catch (error) {
    if (error instanceof SegmentCorrupt) return error.message
    throw error
  }
}

t.test('a kept filter gives the pages that single reads give, damaged ones neither', async t => {
  const pageCount = 12
  const { file, reference } = makeFilter(t, pageCount, [3, 8])
  const read = filterPageReader(file, reference)
  const single = Array.from({ length: pageCount }, (_, page) => outcome(() => read(page)))
  t.equal(new Set(single).size, pageCount)
  const asked = fc.array(fc.nat({ max: pageCount - 1 }), { maxLength: 40 })
  const room = fc.constantFrom(0, pageCount * bytesPerPage - 1, pageCount * bytesPerPage)
  forAll(asked, room, (pages, roomBytes) => {
    const kept = new KeptFilter(reference, new FilterRoom(roomBytes))
    return pages.every(page => outcome(() => kept.page(page, () => file)) === single[page])
  })
})

t.test('a filter that is asked again is read as a whole, and no more', async t => {
  const { file, reference, reads } = makeFilter(t, 5)
  const kept = new KeptFilter(reference, new FilterRoom(1e6))
  kept.page(1, () => file)
  t.same([reads(), kept.heldBytes], [1, 0])
  for (const page of [4, 0, 3, 2, 1, 4]) t.equal(kept.page(page, () => file).readUInt32LE(0), page)
  t.same([reads(), kept.heldBytes], [2, 5 * bytesPerPage])
})

t.test('filters take no more memory than there is room, and give it back', async t => {
  const { file, reference } = makeFilter(t, 5)
  const room = new FilterRoom(2 * 5 * bytesPerPage + 1)
  const filters = [1, 2, 3].map(() => new KeptFilter(reference, room))
  const ask = () => {
    for (const filter of [...filters, ...filters]) filter.page(2, () => file)
    return filters.map(({ heldBytes }) => heldBytes > 0)
  }
  t.same(ask(), [true, true, false])
  filters[0]!.release()
  filters[2]!.page(2, () => file)
  t.same(ask(), [false, true, true])
})

t.test('a filter that the file does not have takes no room', async t => {
  const { file } = makeFilter(t, 5)
  const room = new FilterRoom(1e6)
  const kept = new KeptFilter({ offset, pageCount: 500 }, room)
  kept.page(1, () => file)
  for (let i = 0; i < 3; i++) t.throws(() => kept.page(1, () => file), SegmentCorrupt)
  t.ok(room.has(1e6))
})
