/** What skip indexes tell of kinds of messages, beside what is counted in the blocks themselves. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { countOnes } from '../../../src/columns/codes.ts'
import { patternOfMessage } from '../../../src/columns/patterns/message-pattern.ts'
import { parseSelector } from '../../../src/language/tail-query.ts'
import { limits } from '../../../src/limits.ts'
import { BucketCounts } from '../../../src/query/collect/bucket-counts.ts'
import { Patterns, type PlainPatterns } from '../../../src/query/collect/patterns.ts'
import { Predicate } from '../../../src/query/predicate.ts'
import { scanSources } from '../../../src/query/scan.ts'
import { SourceReader } from '../../../src/query/source-reader.ts'
import { BlockColumns } from '../../../src/segment/block-columns.ts'
import { readDirectory } from '../../../src/segment/block-directory.ts'
import { BlockReader } from '../../../src/segment/block-reader.ts'
import { SegmentFile } from '../../../src/segment/segment-file.ts'
import { forAll } from '../../for-all.ts'
import { longRuns, share } from '../../long-runs.ts'
import { type StreamRecord, sealRecords } from '../../segment/sealed.ts'
import { info } from '../../segment/segments.ts'

const stream = { service: 'wéb', environment: 'prod' }
const words = 'anna bert carl dora emil fred gina hans ida jan kurt lena mia nele otto paul'.split(
  ' ',
)
/** Words in the place of one variable, of which some make kinds of their own and others do not. */
const message = fc.oneof(
  fc.tuple(fc.constantFrom(...words), fc.nat(99)).map(([word, n]) => `${word} came ${n} times`),
  fc.tuple(fc.constantFrom(...words), fc.nat(99)).map(([word, n]) => `user ${word} sent "${n}"`),
  fc.nat(999).map(n => `größe ${n} zu groß`),
  fc.constantFrom('done', '', '{"msg":"done","n":1}', 'first\nsecond'),
)
const record = fc.record({
  ...{ stream: fc.constant(stream), message, attributes: fc.constant<string[]>([]) },
  timestamp: fc.integer({ min: -500, max: 500 }),
  level: fc.constantFrom('info', 'error', 'warn'),
})
const block = fc
  .tuple(fc.array(record, { minLength: 1, maxLength: 30 }), fc.integer({ min: 1, max: 9 }))
  .map(([some, times]) => Array.from({ length: times }, () => some).flat())

/** How many times as far apart records are, and the width of buckets, ms: these, or some that cells make up. */
const timesOf = (...bucketMs: readonly number[]) =>
  fc.constantFrom(
    ...bucketMs.map(width => [1, width] as const),
    ...([
      [1_000, 5_000],
      [1_000, 30_000],
      [1_000, 7_000],
    ] as const),
    ...([
      [60_000, 1_800_000],
      [60_000, 21_600_000],
      [60_000, 6_600_000],
    ] as const),
  )
const scaled = (lists: readonly (readonly StreamRecord[])[], times: number) =>
  lists.map(list => list.map(one => ({ ...one, timestamp: one.timestamp * times })))

interface SealedBlock {
  readonly records: readonly StreamRecord[]
  /** Without, and with what is told of it. */
  readonly plain: BlockColumns
  readonly opened: BlockColumns
  readonly source: Parameters<SourceReader['told']>[0]
}

function withBlocks(
  path: string,
  lists: readonly (readonly StreamRecord[])[],
  visit: (block: SealedBlock, reader: SourceReader) => void,
): void {
  const { blocks } = sealRecords(path, 7, lists, info)
  const reader = new SourceReader(0)
  const file = new SegmentFile(path, 7)
  for (const [i, { directory, blockBytes: bytes, skip }] of blocks.entries()) {
    const source = { path, source: { kind: 'block', segment: 7, directory, bytes, skip } } as const
    const own = readDirectory(file, directory)
    const plain = new BlockColumns(own, () => new BlockReader(file, directory, own))
    const opened = reader.block({ ...source, number: 0, isCounted: false })
    visit({ records: lists[i]!, plain, opened, source }, reader)
  }
  file.close()
  reader.trim()
}

/** What was collected, by pattern. */
function collected(patterns: Patterns): unknown {
  const plain = patterns.toPlain().patterns.map(({ buckets, ...pattern }) => {
    const counts = new BucketCounts()
    counts.addPlain(buckets)
    return { ...pattern, buckets: counts.toPlain() }
  })
  return plain.sort((a, b) => (a.id < b.id ? -1 : 1))
}

t.test('what is told of kinds of messages is what is counted in the block', async t => {
  const path = `${t.testdir()}/00000007.seg`
  const seen = { told: 0, counted: 0 }
  const selections: ((row: number, count: number) => boolean)[] = [
    () => true,
    (row, count) => row >= count >> 1,
    (row, count) => row < (count >> 1) + 1,
    row => row % 3 === 1,
  ]
  forAll(
    longRuns(100),
    fc.array(block, { minLength: 1, maxLength: 3 }),
    timesOf(7, 100, 1e6),
    fc.constantFrom(0, 2),
    (made, [scale, bucketMs], samples) => {
      const lists = scaled(made, scale)
      const make = () => new Patterns({ bucketMs, samples })
      withBlocks(path, lists, ({ plain, opened, source }, reader) => {
        for (const isSelected of selections) {
          const { recordCount } = plain
          const selected = new Uint8Array(recordCount).map((_, row) =>
            isSelected(row, recordCount) ? 1 : 0,
          )
          const [counted, ofOpened] = [make(), make()]
          counted.add(plain, selected)
          ofOpened.add(opened, selected)
          assert.deepEqual(collected(ofOpened), collected(counted))
          const again = make()
          again.add(opened, selected)
          assert.deepEqual(collected(again), collected(counted), 'of what is kept')
        }
        const [counted, told] = [make(), make()]
        counted.add(plain, new Uint8Array(plain.recordCount).fill(1))
        const isEnough = told.addTold(reader.told(source)!)
        assert.deepEqual(collected(told), collected(isEnough ? counted : make()))
        seen[isEnough ? 'told' : 'counted']++
      })
    },
  )
  t.ok(seen.told > share(15) && seen.counted > share(50), JSON.stringify(seen))
})

t.test(
  'a pattern that no message of a block has leaves it unopened, and others are counted',
  async t => {
    const path = `${t.testdir()}/00000007.seg`
    const seen = { none: 0, counted: 0 }
    const operators = fc.constantFrom<'=' | '!=' | '=~' | '!~'>('=', '!=', '=~', '!~')
    forAll(
      longRuns(100),
      fc.array(block, { minLength: 1, maxLength: 3 }),
      message,
      operators,
      (lists, asked, operator) => {
        const value = patternOfMessage(asked).id
        const matchers = [{ label: 'pattern', operator, value }]
        const predicate = new Predicate({ kind: 'selector', matchers, filters: [] })
        withBlocks(path, lists, ({ records, source }, reader) => {
          const isNegated = operator.startsWith('!')
          const matching = records.filter(
            ({ message }) => (patternOfMessage(message).id === value) !== isNegated,
          ).length
          const verdict = reader.skip(
            { ...source, number: 0, isCounted: false },
            predicate,
          )?.verdict
          assert.deepEqual(verdict, matching === 0 ? 'template' : { count: matching })
          seen[matching === 0 ? 'none' : 'counted']++
        })
      },
    )
    t.ok(seen.none > share(30) && seen.counted > share(30), JSON.stringify(seen))
  },
)

/** What all messages of some kinds have, what is in a variable, levels, kinds by their ids, and others. */
const selectors = [
  ...['logs', 'logs{log_level="error"}', 'logs{log_level!="info"}', 'logs{log_level=~"in.*"}'],
  ...['logs |= "came"', 'logs != "user"', 'logs |= "anna"', 'logs |~ "sent|done"', 'logs |= "7"'],
  ...['logs{log_level="warn"} |= "times"', `logs{pattern="${patternOfMessage('done').id}"}`],
  `logs{pattern!="${patternOfMessage('anna came 1 times').id}", log_level="info"} != "first"`,
  ...['logs{a="b"} |= "came"', 'logs{log_level="info"} or logs{log_level="warn"}'],
].map(text => parseSelector(text, {}))
const turn = {
  ...{ turnMs: Number.POSITIVE_INFINITY, longMs: Number.POSITIVE_INFINITY },
  cancelled: new Int32Array(new SharedArrayBuffer(4)),
}

t.test('kinds and levels that are told of are those of the records that match', t => {
  const path = `${t.testdir()}/00000007.seg`
  const seen = { told: 0, opened: 0, toldOfPart: 0 }
  forAll(
    longRuns(900),
    fc.array(block, { minLength: 1, maxLength: 3 }),
    fc.constantFrom(...selectors),
    timesOf(100, 1e17),
    (made, selector, [scale, bucketMs]) => {
      const lists = scaled(made, scale)
      const predicate = new Predicate(selector)
      withBlocks(path, lists, ({ plain, source, records }, reader) => {
        const expected = new Patterns({ bucketMs, samples: 0 })
        const selected = predicate.select(plain, -8.64e15, 8.64e15)
        const count = selected === undefined ? 0 : countOnes(selected)
        if (selected !== undefined) expected.add(plain, selected)
        const task = {
          ...{ rebuildsRecords: false, bound: undefined, turn },
          sources: [{ ...source, number: 0, isCounted: false }],
        }
        const query = {
          ...{ selector, startTime: -8.64e15, endTime: 8.64e15, limit: 0, after: undefined },
          ...{ order: 'asc' as const, collector: expected.request },
        }
        const result = scanSources({ ...task, query }, reader)
        const found = new Patterns({ bucketMs, samples: 0 })
        found.addPlain(result.collected as PlainPatterns)
        assert.equal(result.count, count)
        assert.deepEqual(collected(found), collected(expected))
        seen[result.stats.blocks === 0 ? 'told' : 'opened']++
        const isPart = count > 0 && count < records.length
        if (isPart && result.stats.blocks === 0) seen.toldOfPart++
      })
    },
  )
  t.ok(seen.opened > share(20) && seen.toldOfPart > share(5), JSON.stringify(seen))
  t.end()
})

t.test('more kinds than are told are counted when they are asked for', async t => {
  const path = `${t.testdir()}/00000007.seg`
  const word = (n: number) =>
    [...n.toString(26)].map(digit => 'abcdefghijklmnopqrstuvwxyz'[parseInt(digit, 26)]).join('')
  const records = (count: number) =>
    Array.from(
      { length: count },
      (_, i): StreamRecord => ({
        ...{ stream, timestamp: i, level: 'info', attributes: [] },
        message: `${'so '.repeat(i % 90)}${word(i)} ${word(i * 7)}`,
      }),
    )
  const isTold: boolean[] = []
  for (const count of [limits.toldPatternsMax, limits.toldPatternsMax + 1]) {
    withBlocks(path, [records(count)], ({ opened, plain }) => {
      isTold.push(opened.toldPatterns() !== undefined)
      const all = new Uint8Array(count).fill(1)
      const patterns = new Patterns({ bucketMs: 1e9, samples: 0 })
      patterns.add(opened, all)
      const expected = new Patterns({ bucketMs: 1e9, samples: 0 })
      expected.add(plain, all)
      t.equal(patterns.all.length, count)
      t.same(collected(patterns), collected(expected))
    })
  }
  t.same(isTold, [true, false])
})
