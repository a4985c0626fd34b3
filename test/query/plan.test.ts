import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { IndexEntry } from '../../src/index/entry.ts'
import { type BlockRef, type SourceRef, sourceKey } from '../../src/index/source.ts'
import { everyRecord, type Selector } from '../../src/language/ast.ts'
import { Groups } from '../../src/query/collect/groups.ts'
import { Histogram } from '../../src/query/collect/histogram.ts'
import { type BlockEntry, type LevelEnd, LevelEnds } from '../../src/query/level-ends.ts'
import { type Plan, type PlannedSource, type PlanQuery, plan } from '../../src/query/plan.ts'
import { Predicate } from '../../src/query/predicate.ts'
import { comparePlaces, type Order, type RecordPlace } from '../../src/query/top-k.ts'
import type { LogRecord, Stream } from '../../src/record.ts'
import { forAll } from '../for-all.ts'
import { longRuns, share } from '../long-runs.ts'
import {
  arbitraryRecord,
  arbitrarySelector,
  arbitraryStream,
  labelValue,
  matchesPlainly,
  object,
} from './plain.ts'

const place = { offset: 9, bytes: 9, crc: 9 }

interface Stored extends RecordPlace {
  readonly record: LogRecord
  readonly stream: Stream
}

interface Source {
  readonly ref: SourceRef
  readonly records: readonly Stored[]
}

/** A range of the journal, which may have several streams, or a block, which has one. */
const arbitrarySource = object({
  isBlock: fc.boolean(),
  from: fc.integer({ min: 0, max: 40 }),
  stream: arbitraryStream,
  rows: fc.array(fc.tuple(arbitraryRecord, fc.integer({ min: 0, max: 12 }), arbitraryStream), {
    minLength: 1,
    maxLength: 12,
  }),
})

const arbitrarySources: fc.Arbitrary<Source[]> = fc
  .array(arbitrarySource, { maxLength: 8 })
  .map(sources => {
    let sequence = 0
    return sources.map(({ isBlock, from, stream, rows }, i) => ({
      ref: isBlock
        ? { kind: 'block', segment: i, directory: place, bytes: 9, skip: undefined }
        : { kind: 'journal', file: i, offset: 20, bytes: 9 },
      records: rows.map(([record, after, own]) => {
        const timestamp = from + after
        const place = { timestamp, sequence: sequence++ }
        return { ...place, record: { ...record, timestamp }, stream: isBlock ? stream : own }
      }),
    }))
  })

/** The entries of a source: one a stream, as the index has them. */
function entriesOf({ ref, records }: Source): IndexEntry[] {
  const streams = Map.groupBy(records, ({ stream }) => JSON.stringify(stream))
  return [...streams.values()].map(own => {
    const levels = Map.groupBy(own, ({ record }) => record.level)
    return {
      stream: own[0]!.stream,
      minTimestamp: Math.min(...own.map(({ timestamp }) => timestamp)),
      maxTimestamp: Math.max(...own.map(({ timestamp }) => timestamp)),
      recordCount: own.length,
      levelCounts: [...levels].flatMap(([level, some]) => [level, some.length]),
      source: ref,
    }
  })
}

const indexedLabels = ['service.name', 'environment', 'log_level']

/** Most of the selectors are such that the index alone can answer. */
const selector: fc.Arbitrary<Selector> = fc.oneof(
  arbitrarySelector,
  fc.constantFrom('error', 'info').map(value => ({
    kind: 'selector' as const,
    matchers: [{ label: 'log_level', operator: '=' as const, value }],
    filters: [],
  })),
  arbitrarySelector.map(({ matchers }) => ({
    kind: 'selector' as const,
    matchers: matchers.filter(({ label }) => indexedLabels.includes(label)),
    filters: [],
  })),
)

const arbitraryAsked = object({
  selector,
  by: fc.uniqueArray(fc.constantFrom(...indexedLabels, 'status'), { maxLength: 2 }),
  startTime: fc.oneof(fc.constant(-1), fc.integer({ min: -1, max: 50 })),
  length: fc.oneof(fc.constant(99), fc.integer({ min: 0, max: 60 })),
  limit: fc.integer({ min: 0, max: 15 }),
  order: fc.constantFrom<Order>('asc', 'desc'),
  /** Which record the answer begins behind; none when there are not so many. */
  afterIndex: fc.nat(80),
  bucketMs: fc.oneof(fc.constant(undefined), fc.integer({ min: 1, max: 100 })),
})

type Asked = typeof arbitraryAsked extends fc.Arbitrary<infer T> ? T : never

/** A plan, and what it was made from in the plainest form. */
function makePlan(
  sources: readonly Source[],
  asked: Asked,
  known: Pick<PlanQuery, 'levelEnds' | 'sieve'> = {},
) {
  const { startTime, limit, order, by, bucketMs } = asked
  const groups = by.length === 0 ? undefined : new Groups(by)
  // One collector at a time, as everywhere.
  const histogram =
    bucketMs === undefined || groups !== undefined ? undefined : new Histogram(bucketMs)
  const collector = groups ?? histogram
  const endTime = startTime + asked.length
  const predicate = new Predicate(asked.selector)
  const matching = (records: readonly Stored[]) =>
    records.filter(
      ({ record, stream, timestamp }) =>
        startTime <= timestamp &&
        timestamp <= endTime &&
        matchesPlainly(asked.selector, record, stream),
    )
  const all = sources.flatMap(({ records }) => records)
  const inOrder = matching(all).sort((a, b) => comparePlaces(a, b, order))
  const after = inOrder[asked.afterIndex]
  const times = { startTime, endTime }
  const query: PlanQuery = {
    ...{ predicate, ...times, limit, order, after, collector },
    ...known,
  }
  const entries = sources.flatMap(entriesOf)
  const usable = entries.filter(
    ({ stream, minTimestamp, maxTimestamp }) =>
      predicate.matchesStream(stream) && minTimestamp <= endTime && maxTimestamp >= startTime,
  )
  return { planned: plan(query, usable), query, groups, histogram, inOrder, matching }
}

function recordsIn(sources: readonly Source[], chosen: readonly PlannedSource[]): Stored[] {
  const keys = new Set(chosen.map(({ source }) => sourceKey(source)))
  return sources.filter(({ ref }) => keys.has(sourceKey(ref))).flatMap(({ records }) => records)
}

/** Sums counts by a name, and leaves out what comes to nothing. */
function sumBy(counts: Iterable<readonly [name: unknown, count: number]>): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [name, count] of counts) {
    const key = JSON.stringify(name)
    sums.set(key, (sums.get(key) ?? 0) + count)
  }
  return sums
}

let answered = 0
let searchedSome = 0

function noteWhatWasSeen({ count, searched, stats }: Plan): void {
  if (count > 0) answered++
  if (searched.length > 0 && stats.sourcesFromIndex > 0) searchedSome++
}

t.test('what the index counts and what is scanned are together all that matches', async t => {
  forAll(longRuns(1_500), arbitrarySources, arbitraryAsked, (sources, asked) => {
    const made = makePlan(sources, asked)
    const { planned, inOrder, matching } = made
    noteWhatWasSeen(planned)
    const scanned = matching(recordsIn(sources, planned.scanned))
    assert.equal(planned.count + scanned.length, inOrder.length)

    if (made.groups !== undefined) {
      const groupOf = ({ record, stream }: Stored) =>
        [asked.by.map(label => labelValue(label, record, stream)), 1] as const
      const groups = sumBy([...made.groups.toPlain(), ...scanned.map(groupOf)])
      assert.deepEqual(groups, sumBy(inOrder.map(groupOf)))
    }
    if (made.histogram !== undefined) {
      const width = made.histogram.bucketMs
      const bucketOf = ({ timestamp, record }: Stored) =>
        [[Math.floor(timestamp / width), record.level], 1] as const
      const known = made.histogram
        .toPlain()
        .flatMap(([level, { first, counts }]) =>
          [...counts].map((count, i) => [[first + i, level], count] as const),
        )
      const counted = known.filter(([, count]) => count > 0)
      const buckets = sumBy([...counted, ...scanned.map(bucketOf)])
      assert.deepEqual(buckets, sumBy(inOrder.map(bucketOf)))
    }
  })
  t.ok(answered > share(200), `the index counted something ${answered} times`)
})

t.test('the first records are in what is read, and behind a cursor one more', async t => {
  forAll(longRuns(1_500), arbitrarySources, arbitraryAsked, (sources, asked) => {
    const { planned, query, inOrder } = makePlan(sources, asked)
    noteWhatWasSeen(planned)
    const { after, order, limit } = query
    const behind = inOrder.filter(
      place => after === undefined || comparePlaces(place, after, order) > 0,
    )
    const read = new Set(recordsIn(sources, [...planned.searched, ...planned.scanned]))
    const wanted = after === undefined ? limit : limit + 1
    if (limit > 0) for (const place of behind.slice(0, wanted)) assert.ok(read.has(place))
    else assert.equal(planned.searched.length, 0, 'nothing is read for no records')
  })
  t.ok(
    searchedSome > share(30),
    `part of what the index counted was left unread ${searchedSome} times`,
  )
})

t.test('sources are read once each, first of the order first', async () => {
  forAll(arbitrarySources, arbitraryAsked, (sources, asked) => {
    const { planned } = makePlan(sources, asked)
    const { scanned, searched, stats } = planned
    const keys = [...scanned, ...searched].map(({ source }) => sourceKey(source))
    assert.equal(new Set(keys).size, keys.length)
    assert.ok(keys.length + stats.sourcesFromIndex <= sources.length)
    for (const list of [scanned, searched]) {
      const begins = list.map(source =>
        asked.order === 'asc' ? source.minTimestamp : -source.maxTimestamp,
      )
      assert.deepEqual(
        begins,
        begins.toSorted((a, b) => a - b),
      )
    }
  })
})

/** When each level of a block is first and last, from its records. */
function endsOf({ records }: Source): LevelEnd[] {
  const levels = Map.groupBy(records, ({ record }) => record.level)
  return [...levels].map(([level, own]) => {
    const times = own.map(({ timestamp }) => timestamp)
    return { level, count: own.length, first: Math.min(...times), last: Math.max(...times) }
  })
}

/** What is known of some of the blocks. */
function knownOf(sources: readonly Source[], isKnown: (index: number) => boolean): LevelEnds {
  const known = new LevelEnds()
  for (const [i, source] of sources.entries()) {
    const { ref } = source
    if (ref.kind !== 'block' || !isKnown(i)) continue
    for (const { levelCounts } of entriesOf(source)) {
      known.note({ source: ref, levelCounts }, endsOf(source))
    }
  }
  return known
}

t.test('what is known of levels leaves more unread, and no first record', async t => {
  let fewer = 0
  const mask = fc.nat(255)
  const ofLevel = fc.constantFrom('error', 'info').map(value => ({
    kind: 'selector' as const,
    matchers: [{ label: 'log_level', operator: '=' as const, value }],
    filters: [],
  }))
  const ofFew = fc
    .tuple(arbitraryAsked, ofLevel, fc.integer({ min: 1, max: 3 }))
    .map(([asked, selector, limit]) => ({ ...asked, selector, limit, by: [], bucketMs: undefined }))
  const ofFewOfAll = ofFew.map(asked => ({ ...asked, startTime: -1, length: 99, afterIndex: 80 }))
  const some = fc.oneof(arbitraryAsked, ofFew, ofFewOfAll, ofFewOfAll)
  forAll(longRuns(1_500), arbitrarySources, some, mask, (sources, asked, bits) => {
    const plainly = makePlan(sources, asked)
    const levelEnds = knownOf(sources, i => ((bits >> i) & 1) === 1)
    const { planned, query, inOrder, matching } = makePlan(sources, asked, { levelEnds })
    const { after, order, limit } = query
    const scanned = matching(recordsIn(sources, planned.scanned))
    assert.equal(planned.count + scanned.length, inOrder.length)
    const behind = inOrder.filter(
      place => after === undefined || comparePlaces(place, after, order) > 0,
    )
    const read = new Set(recordsIn(sources, [...planned.searched, ...planned.scanned]))
    const wanted = after === undefined ? limit : limit + 1
    if (limit > 0) for (const place of behind.slice(0, wanted)) assert.ok(read.has(place))
    assert.ok(planned.searched.length <= plainly.planned.searched.length)
    if (planned.searched.length < plainly.planned.searched.length) fewer++
  })
  t.ok(fewer > share(20), `fewer blocks were searched ${fewer} times`)
})

t.test('a block without a match is left unread where the sieve says so, and no other', async t => {
  let sifted = 0
  const mask = fc.nat(255)
  // Of most of what the others ask the index knows that no block has it.
  const sought = fc.tuple(arbitraryAsked, arbitrarySelector).map(([asked, selector]) => {
    return { ...asked, selector, startTime: -1, length: 99 }
  })
  const either = fc.oneof(arbitraryAsked, sought)
  forAll(longRuns(1_500), arbitrarySources, either, mask, (sources, asked, bits) => {
    const plainly = makePlan(sources, asked)
    const verdicts = sources.map(({ records }, i) => {
      const hasMatch = records.some(({ record, stream }) =>
        matchesPlainly(asked.selector, record, stream),
      )
      return hasMatch ? 'some' : ((bits >> i) & 1) === 1 ? 'none' : undefined
    })
    const verdict = (source: SourceRef) =>
      source.kind === 'block' ? verdicts[source.segment] : undefined
    const { planned, inOrder, matching } = makePlan(sources, asked, { sieve: { verdict } })
    const scanned = matching(recordsIn(sources, planned.scanned))
    assert.equal(planned.count + scanned.length, inOrder.length)
    for (const { source, isSifted } of planned.scanned) {
      assert.notEqual(verdict(source), 'none')
      assert.equal(isSifted, verdict(source) === 'some')
    }
    const { siftedCount, stats } = planned
    assert.equal(stats.entriesPruned, plainly.planned.stats.entriesPruned)
    const fewer = plainly.planned.scanned.length - planned.scanned.length
    assert.ok(fewer <= siftedCount)
    sifted += siftedCount
  })
  t.ok(sifted > share(60), `${sifted} blocks were left unread`)
})

t.test(
  'what is told of a block counts where it agrees with its entry, and while there is room',
  async t => {
    const [one, two] = tens(2) as [Source, Source]
    const blocks = [one, two].map(source => {
      const [{ levelCounts }] = entriesOf(source) as [IndexEntry]
      return { source: source.ref as BlockRef, levelCounts }
    }) as [BlockEntry, BlockEntry]
    const errors = { matchesLevel: (level: string) => level === 'error' }
    const known = new LevelEnds(1)
    known.note(blocks[0], endsOf(one))
    known.note(blocks[1], endsOf(two))
    t.same(known.timesOf(blocks[0].source, errors), { minTimestamp: 0, maxTimestamp: 2 })
    t.equal(known.timesOf(blocks[0].source, { matchesLevel: () => false }), undefined)
    t.equal(known.has(blocks[1].source), false, 'no room')
    known.keepOnly(segment => segment === 1)
    t.equal(known.timesOf(blocks[0].source, errors), undefined, 'gone')
    for (const wrong of [undefined, endsOf(one).slice(1), endsOf(tens(1)[0]!).map(mistaken)]) {
      const other = new LevelEnds()
      other.note(blocks[1], wrong)
      t.equal(other.timesOf(blocks[1].source, errors), undefined)
      t.ok(other.has(blocks[1].source), 'it is not asked for again')
    }
  },
)

function mistaken(end: LevelEnd): LevelEnd {
  return { ...end, count: end.count + 1 }
}

const stream: Stream = { service: 'api', environment: 'prod' }

/** Sources of ten records each, one after the other in time. */
function tens(count: number): Source[] {
  return Array.from({ length: count }, (_, i) => ({
    ref: { kind: 'block', segment: i, directory: place, bytes: 9, skip: undefined },
    records: Array.from({ length: 10 }, (_, n) => {
      const place = { timestamp: 10 * i + n, sequence: 10 * i + n }
      const record = { ...place, level: n < 3 ? 'error' : 'info', message: '', attributes: [] }
      return { ...place, record, stream }
    }),
  }))
}

const asked: Asked = {
  selector: everyRecord,
  by: [],
  startTime: -1,
  length: 999,
  limit: 5,
  order: 'asc',
  afterIndex: 80,
  bucketMs: undefined,
}

t.test('no more is read than the first records take', async t => {
  const reads = (more: Partial<Asked>, searched: number[], scanned: number[]) => {
    const { planned } = makePlan(tens(6), { ...asked, ...more })
    const numbers = (list: readonly PlannedSource[]) =>
      list.map(({ source }) => (source.kind === 'block' ? source.segment : -1))
    t.same(numbers(planned.searched), searched, JSON.stringify(more))
    t.same(numbers(planned.scanned), scanned)
  }

  reads({}, [0], [])
  reads({ limit: 9 }, [0], [])
  reads({ limit: 10 }, [0], [])
  reads({ limit: 11 }, [0, 1], [])
  reads({ order: 'desc' }, [5], [])
  reads({ limit: 0 }, [], [])
  reads({ afterIndex: 24 }, [2, 3], [])
  reads({ afterIndex: 24, order: 'desc' }, [3, 2], [])
  reads({ startTime: 15 }, [2], [1])
  reads({ startTime: 15, length: 30 }, [2], [1, 4])
  reads({ by: ['status'], limit: 1 }, [], [0, 1, 2, 3, 4, 5])
  const matchers = [{ label: 'log_level', operator: '=' as const, value: 'error' }]
  reads({ selector: { ...everyRecord, matchers } }, [0, 1], [])
  reads({ selector: { ...everyRecord, matchers: [{ ...matchers[0]!, value: 'debug' }] } }, [], [])
})
