import { join } from 'node:path'
import t, { type Test } from 'tap'
import { realDisk } from '../../../src/disk/real-disk.ts'
import { journalPath } from '../../../src/journal/files.ts'
import { type CommittedFrame, Journal } from '../../../src/journal/journal.ts'
import { everyRecord } from '../../../src/language/ast.ts'
import type { LogRecord } from '../../../src/record.ts'
import type { TailRange, TailResult } from '../../../src/store/tail/task.ts'
import { TailThread } from '../../../src/store/tail/thread.ts'
import { recordsOf } from './reading.ts'

const stream = { service: 'api', environment: 'prod' }
const oneRecord = (message: string): LogRecord => ({
  timestamp: 1,
  level: 'info',
  message,
  attributes: [],
})
const wordy = (text: string) =>
  ({ kind: 'selector', matchers: [], filters: [{ operator: '|=', text }] }) as const

/** Writes each message as a frame of its own, and gives the ranges that they make. */
async function writeJournal(t: Test, messages: readonly string[]): Promise<TailRange[]> {
  const directory = t.testdir({ journal: {} })
  const frames: CommittedFrame[] = []
  const journal = new Journal({
    directory: join(directory, 'journal'),
    disk: realDisk,
    config: {
      durability: 'written',
      journalFileBytes: 1e9,
      journalFileRecords: 2 ** 19,
      journalFileAgeMs: 1e9,
      pendingBytesMax: 1e9,
    },
    now: () => 0,
    freeBytes: async () => Number.POSITIVE_INFINITY,
    nextFile: 1,
    nextSequence: 0,
    onCommit: committed => frames.push(...committed),
    onFileClosed: () => {},
    onFatal: error => t.fail(error),
  })
  for (const message of messages) await journal.append(oneRecord(message), stream)
  await journal.close()
  const path = journalPath(join(directory, 'journal'), 1)
  return frames.map(({ file, offset, bytes }) => ({
    path,
    file,
    offset,
    bytes,
    isCountedOnly: false,
  }))
}

function startThread(t: Test, lookMs = 60_000): TailThread {
  const thread = new TailThread({ lookMs })
  t.teardown(() => thread.close())
  return thread
}

/** What each query found in each range: messages, or a number when they were only counted. */
function foundIn(result: TailResult) {
  return result.ranges.map(matches =>
    matches.map(({ query, count, text }) => [
      query,
      text === undefined ? count : recordsOf(text).map(({ message }) => message),
    ]),
  )
}

t.test('a range is tried on every query, and gives what each finds', async t => {
  const ranges = await writeJournal(t, ['red', 'green', 'red green'])
  const queries = [
    { number: 7, selector: everyRecord },
    { number: 8, selector: wordy('green') },
    { number: 9, selector: wordy('blue') },
  ]
  const result = await startThread(t).run({ queries, ranges, turnMs: 1_000 })
  if ('stuckQuery' in result) return t.fail('no query is stuck')
  t.same(foundIn(result), [
    [[7, ['red']]],
    [
      [7, ['green']],
      [8, ['green']],
    ],
    [
      [7, ['red green']],
      [8, ['red green']],
    ],
  ])
})

t.test('records are only counted where that is asked for', async t => {
  const [first, second] = await writeJournal(t, ['red', 'red'])
  const ranges = [{ ...first!, isCountedOnly: true }, second!]
  const queries = [{ number: 1, selector: everyRecord }]
  const result = await startThread(t).run({ queries, ranges, turnMs: 1_000 })
  if ('stuckQuery' in result) return t.fail('no query is stuck')
  t.same(foundIn(result), [[[1, 1]], [[1, ['red']]]])
})

t.test('when the turn is over the rest is left, but never all of it', async t => {
  const ranges = await writeJournal(t, ['a', 'b', 'c'])
  const queries = [{ number: 1, selector: everyRecord }]
  const result = await startThread(t).run({ queries, ranges, turnMs: -1 })
  if ('stuckQuery' in result) return t.fail('no query is stuck')
  t.same(foundIn(result), [[[1, ['a']]]])
})

t.test('a query that does not come to an end is named, and the thread works again', async t => {
  // Each place may be the beginning of a match, and stays one for 900 characters.
  const letter = (i: number) => 'xy'[(Math.imul(i * i, 2_654_435_761) >>> 16) & 1]
  const ranges = await writeJournal(t, [
    Array.from({ length: 900_000 }, (_, i) => letter(i)).join(''),
  ])
  const costly = { operator: '|~', text: '[xy]*x[xy]{900}[uv]' } as const
  const queries = [
    { number: 1, selector: everyRecord },
    { number: 2, selector: { ...everyRecord, filters: [costly] } },
  ]
  const thread = startThread(t, 50)
  t.match(await thread.run({ queries, ranges, turnMs: 1_000 }), { stuckQuery: 2 })
  const result = await thread.run({ queries: queries.slice(0, 1), ranges, turnMs: 1_000 })
  t.notOk('stuckQuery' in result)
})
