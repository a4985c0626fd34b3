import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { RecordColumns, RowRange } from '../../src/columns/record-columns.ts'
import type { Predicate, SelectOptions } from '../../src/query/predicate.ts'
import type { Resume } from '../../src/query/scan-task.ts'
import { TurnSelection } from '../../src/query/turn-selection.ts'
import { type Turn, TurnOver } from '../../src/threads/turn.ts'
import { forAll } from '../for-all.ts'
import { object } from './plain.ts'

const times = { startTime: 0, endTime: 1 }
const here = { source: 7, frameOffset: 20 }

/** A predicate that takes every third row, and at most so many at a time before its turn is over. */
class SlowPredicate {
  readonly hasStages: boolean
  readonly rowsMax: number
  /** What it was asked to its end. */
  readonly asked: RowRange[] = []

  constructor(rowsMax: number, hasStages = false) {
    this.rowsMax = rowsMax
    this.hasStages = hasStages
  }

  select({ recordCount }: RecordColumns, _from: number, _to: number, { rows }: SelectOptions) {
    const { from, to } = rows ?? { from: 0, to: recordCount }
    if (to - from > this.rowsMax) throw new TurnOver()
    this.asked.push({ from, to })
    const marks = Uint8Array.from({ length: recordCount }, (_, row) =>
      row >= from && row < to && row % 3 === 0 ? 1 : 0,
    )
    return marks.includes(1) ? marks : undefined
  }
}

interface Waiting {
  /** Whether others wait, asked after each part. */
  othersWait(): boolean
  isCancelled?: boolean
}

function selection(
  predicate: SlowPredicate,
  { othersWait, isCancelled = false }: Waiting,
  resume?: Resume,
  rowsAtOnce?: number,
): TurnSelection {
  const turn = {
    within: (select: () => unknown) => select(),
    isCancelled,
    get othersWait() {
      return othersWait()
    },
  }
  const parts = [predicate as unknown as Predicate, turn as unknown as Turn] as const
  return new TurnSelection(...parts, resume, rowsAtOnce)
}

const columnsOf = (recordCount: number) => ({ recordCount }) as RecordColumns

t.test('a selection goes on where it was, and no row is selected twice', async t => {
  const asked = object({
    recordCount: fc.integer({ min: 1, max: 300 }),
    rowsMax: fc.integer({ min: 1, max: 300 }),
    waiting: fc.infiniteStream(fc.boolean()),
  })
  let interrupted = 0
  forAll({ numRuns: 300 }, asked, ({ recordCount, rowsMax, waiting }) => {
    const predicate = new SlowPredicate(rowsMax)
    const turn = { othersWait: () => waiting.next().value as boolean }
    let before: { resume: Resume | undefined; rowsAtOnce: number | undefined } | undefined
    for (let tasks = 0; ; tasks++) {
      assert.ok(tasks <= 2 * recordCount + 10, 'it comes to an end')
      const one = selection(predicate, turn, before?.resume, before?.rowsAtOnce)
      const found = one.select(columnsOf(recordCount), here, times, {})
      if (found !== undefined && 'isLong' in found) {
        assert.equal(found.isLong, false)
        before = { resume: structuredClone(found.resume), rowsAtOnce: one.rowsAtOnce }
        interrupted++
        continue
      }
      const isExpected = Array.from({ length: recordCount }, (_, row) => Number(row % 3 === 0))
      assert.deepEqual([...(found ?? [])], isExpected)
      break
    }
    const seen = new Uint8Array(recordCount)
    for (const { from, to } of predicate.asked) {
      for (let row = from; row < to; row++) seen[row]!++
    }
    assert.ok(
      seen.every(count => count === 1),
      'each row once',
    )
  })
  t.ok(interrupted > 100, `${interrupted} interruptions`)
})

t.test('nobody waits: a selection goes on by itself, however long it takes', async t => {
  const predicate = new SlowPredicate(5)
  const found = selection(predicate, { othersWait: () => false }).select(
    columnsOf(200),
    here,
    times,
    {},
  )
  t.ok(found instanceof Uint8Array)
})

t.test('marks of one frame are not taken for those of another', async t => {
  const resume = { ...here, row: 10, selected: new Uint8Array(20).fill(1) }
  for (const other of [
    { source: 7, frameOffset: 21 },
    { source: 8, frameOffset: 20 },
  ]) {
    const predicate = new SlowPredicate(100)
    const one = selection(predicate, { othersWait: () => false }, resume, 100)
    const found = one.select(columnsOf(30), other, times, {}) as Uint8Array
    t.equal(found.filter(mark => mark === 1).length, 10)
    const later = one.select(columnsOf(20), here, times, {}) as Uint8Array
    t.equal(later.filter(mark => mark === 1).length, 7, 'nor later')
  }
})

t.test(
  'a single row that takes too long is long; stages that are collected are as a whole',
  async t => {
    const turn = { othersWait: () => true }
    const row = selection(new SlowPredicate(0), turn, undefined, 1)
    t.match(row.select(columnsOf(9), here, times, {}), { isLong: true, resume: { row: 0 } })
    const staged = selection(new SlowPredicate(5, true), turn, undefined, 5)
    const options = { isStagedNext: true }
    t.same(staged.select(columnsOf(9), here, times, options), { isLong: true, resume: undefined })
  },
)

t.test('what is cancelled ends', async t => {
  const turn = { othersWait: () => true, isCancelled: true }
  for (const rowsAtOnce of [undefined, 7]) {
    const one = selection(new SlowPredicate(5), turn, undefined, rowsAtOnce)
    t.throws(() => one.select(columnsOf(9), here, times, {}), { name: 'TurnOver' })
  }
})
