import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Selector } from '../../../src/language/ast.ts'
import { ScanPool } from '../../../src/query/scan-pool.ts'
import { realGround } from '../../../src/store/ground.ts'
import type { LocalStore } from '../../../src/store/local-store.ts'
import { segmentsToDelete } from '../../../src/store/maintain/retention.ts'
import type { SelectResult } from '../../../src/store/store.ts'
import type { LiveSegment } from '../../../src/store/view/segments.ts'
import { dayMs, minuteMs } from '../../../src/time-units.ts'
import { liveSegment, numbersOf } from '../live-segments.ts'
import { allRecords, messagesIn, neverAborted, openStoreOf } from '../store-in.ts'
import { filesIn } from './sealed-records.ts'

/** Segments numbered from 1, by the time of their youngest record. */
function segmentsUntil(...maxTimestamps: number[]): LiveSegment[] {
  return maxTimestamps.map((maxTimestamp, i) => liveSegment(i + 1, { maxTimestamp }))
}

t.test('segments go when their youngest record is too old, or when all are too large', async t => {
  const now = 1_000
  const deletes = (
    segments: LiveSegment[],
    ageMsMax: number | undefined,
    bytesMax: number | undefined,
    expected: number[],
  ) => t.same(numbersOf(segmentsToDelete(segments, { ageMsMax, bytesMax }, now)), expected)

  deletes([], 10, 10, [])
  deletes(segmentsUntil(-9_999, 0, 1_000), undefined, undefined, [])
  deletes(segmentsUntil(899, 900, 901), 100, undefined, [1])
  deletes(segmentsUntil(901, 900, 899), 100, undefined, [3])
  deletes([liveSegment(1, { minTimestamp: -5_000, maxTimestamp: 900 })], 100, undefined, [])
  deletes(segmentsUntil(-1, -2), 1_000, undefined, [2, 1])
  deletes(segmentsUntil(1, 2, 3), undefined, 300, [])
  deletes(segmentsUntil(1, 2, 3), undefined, 299, [1])
  deletes(segmentsUntil(3, 2, 1), undefined, 199, [3, 2])
  deletes(segmentsUntil(1, 2, 3), undefined, 0, [1, 2, 3])
  deletes(segmentsUntil(5, 5, 5), undefined, 150, [1, 2])
  deletes([liveSegment(2), liveSegment(1)], undefined, 100, [1])
  // The bytes that age frees count: what is left fits.
  deletes(segmentsUntil(1, 2, 950), 100, 200, [1, 2])
  deletes(segmentsUntil(1, 950, 960, 970), 100, 200, [1, 2])
  deletes(segmentsUntil(5_000, 6_000), 100, undefined, [])
})

const stream = { service: 'a', environment: 'b' }

function ask(store: LocalStore, selector: Selector, endTime: number): Promise<SelectResult> {
  return store.select({ ...allRecords, selector, startTime: 0, endTime }, neverAborted)
}

function append(store: LocalStore, timestamp: number, message: string): Promise<void> {
  return store.append({ timestamp, level: 'info', message, attributes: [] }, stream)
}

/** A store that keeps a minute, under a clock that stands still until it is moved. */
async function storeThatForgets(t: Test) {
  const clock = { now: 1_000 * minuteMs }
  const dataDir = t.testdir()
  const flags = ['--retention-age', '1m', '--scan-cache-bytes', '0']
  const store = await openStoreOf(t, dataDir, { flags, now: () => clock.now })
  return { store, clock, segments: join(dataDir, 'segments') }
}

t.test('whole segments go by age; younger ones and the journal stay', async t => {
  const { store, clock, segments } = await storeThatForgets(t)
  await append(store, clock.now, 'old')
  await store.settle()
  await append(store, clock.now - 30 * minuteMs, 'older, but beside a younger one')
  await append(store, clock.now + 2 * minuteMs, 'young')
  await store.settle()
  t.equal(filesIn(segments).length, 2)
  clock.now += 2 * minuteMs
  t.equal((await messagesIn(store)).length, 3, 'nothing goes before it is looked at')

  await append(store, clock.now, 'new')
  await store.settle()
  t.same(await messagesIn(store), ['older, but beside a younger one', 'young', 'new'])
  t.same(
    filesIn(segments).map(name => name.slice(-12)),
    ['00000002.seg', '00000003.seg'],
  )
  t.match(store.stats(), { deletedSegments: 1, segmentFiles: 2, segmentRecords: 3 })

  await append(store, clock.now - 30 * minuteMs, 'old, in the journal')
  t.equal((await messagesIn(store)).length, 4, 'what is in the journal is found')
  await store.settle()
  t.equal((await messagesIn(store)).length, 3, 'until it is a segment of its own')
})

t.test('the oldest segments go when all are larger than allowed', async t => {
  const dataDir = t.testdir()
  const store = await openStoreOf(t, dataDir, { flags: ['--retention-bytes', '1MiB'] })
  const large = () => randomBytes(300_000).toString('base64')
  for (const [i, name] of ['late', 'early', 'middle', 'latest'].entries()) {
    // Days apart, so that they are not merged into one.
    await append(store, [30, 10, 20, 40][i]! * dayMs, `${name} ${large()}`)
    await store.settle()
  }
  t.same(
    (await messagesIn(store)).map(message => message.split(' ')[0]),
    ['middle', 'late', 'latest'],
  )
  t.ok(store.stats().segmentBytes <= 1024 * 1024)
  t.equal(filesIn(join(dataDir, 'segments')).length, 3)
})

t.test('the scan threads are told of segments that are gone, also of merged ones', async t => {
  const told: number[] = []
  class TellingPool extends ScanPool {
    override forgetSegments(segments: ReadonlySet<number>): void {
      told.push(...segments)
      super.forgetSegments(segments)
    }
  }
  const ground = {
    ...realGround,
    newScanPool: (options: ConstructorParameters<typeof ScanPool>[0]) => new TellingPool(options),
  }
  const clock = { now: 1_000 * minuteMs }
  const flags = ['--retention-age', '1m']
  const store = await openStoreOf(t, t.testdir(), { flags, ground, now: () => clock.now })
  for (let i = 0; i < 4; i++) {
    await append(store, clock.now + i, `m${i}`)
    await store.settle()
    t.same(
      await messagesIn(store),
      Array.from({ length: i + 1 }, (_, j) => `m${j}`),
    )
  }
  t.same(told, [1, 2, 3, 4], 'merged into a fifth')
  clock.now += 2 * minuteMs
  await append(store, clock.now, 'new')
  await store.settle()
  t.same(told, [1, 2, 3, 4, 5])
  t.same(await messagesIn(store), ['new'])
})

t.test('a query under way reads to its end what it saw at its beginning', async t => {
  const dataDir = t.testdir()
  const oldest = 1_000 * minuteMs
  const answers: Promise<SelectResult>[] = []
  let finished = 0
  let isLater = false
  // The clock is asked just before old segments are hidden, which is when a query begins. (And when
  // they have been hidden: what begins then sees none of their records.)
  const now = () => {
    if (!isLater) return oldest
    const answer = ask(store, slow, oldest + 99)
    answers.push(answer)
    answer.then(({ count }) => {
      finished += count > 0 && filesIn(segments).includes(old!) ? 1 : 0
    })
    return oldest + 2 * minuteMs
  }
  const flags = ['--retention-age', '1m', '--scan-cache-bytes', '0']
  const store = await openStoreOf(t, dataDir, { flags, now })
  const segments = join(dataDir, 'segments')
  // Takes milliseconds a message, because it never knows early that it does not match.
  const slow: Selector = {
    kind: 'selector',
    matchers: [],
    filters: [{ operator: '|~', text: '[a-z][a-y]{300}[0-9]' }],
  }
  const letters = (seed: number) =>
    Array.from({ length: 900 }, (_, i) => String.fromCharCode(97 + ((i * i * seed + i) % 25)))
  for (let i = 0; i < 40; i++) await append(store, oldest + i, `${letters(i + 1).join('')}${i}`)
  await store.settle()
  const [old] = filesIn(segments)

  isLater = true
  await append(store, oldest + 2 * minuteMs, 'new')
  await store.settle()
  const before = (await Promise.all(answers)).filter(({ count }) => count > 0)
  t.ok(before.length > 0, 'a query began before')
  t.equal(finished, before.length, 'the file was there until all of them had ended')
  for (const { count, records, stats } of before) {
    t.same([count, records.length, stats.damagedBlocks], [40, 40, 0])
  }
  isLater = false
  t.notOk(filesIn(segments).includes(old!), 'then it is gone')
  t.same(await messagesIn(store), ['new'])
})
