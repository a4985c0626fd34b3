/** A block of many kinds of messages, each one of its own, while other tasks wait for the thread. */
import t from 'tap'
import { parseSelector } from '../../../src/language/tail-query.ts'
import { Patterns, type PlainPatterns } from '../../../src/query/collect/patterns.ts'
import { scanSources } from '../../../src/query/scan.ts'
import type { Resume } from '../../../src/query/scan-task.ts'
import { SourceReader } from '../../../src/query/source-reader.ts'
import { sealRecords } from '../../segment/sealed.ts'
import { info } from '../../segment/segments.ts'

const stream = { service: 'a', environment: 'b' }
const count = 3_000
const word = (n: number) =>
  [...(1_000_003 + n * 7_919).toString()].map(digit => 'ghijklmnop'[Number(digit)]).join('')
/** Of kinds that nobody has asked for, with a share of records that a level leaves out. */
const recordsOf = (name: string) =>
  Array.from({ length: count }, (_, i) => ({
    ...{ stream, timestamp: i, attributes: [], level: i % 5 === 0 ? 'error' : 'info' },
    message: `${name} ${word(i % 2_500)} ${'so '.repeat(i % 50)}`,
  }))

/** All turns that a question takes. `isForgetful`: the thread keeps nothing from one turn to the next. */
function ask(
  path: string,
  records: ReturnType<typeof recordsOf>,
  { query = 'logs', waiting = 2, isForgetful = false },
) {
  const { blocks } = sealRecords(path, 7, [records], info)
  const [{ directory, blockBytes: bytes, skip }] = blocks as [(typeof blocks)[0]]
  const source = { kind: 'block', segment: 7, directory, bytes, skip } as const
  const sources = [{ number: 0, path, source, isCounted: false }]
  const cancelled = new Int32Array(new SharedArrayBuffer(4))
  const taskCount = new Int32Array(new SharedArrayBuffer(4)).fill(waiting)
  const turn = { turnMs: 0, longMs: 1_000, cancelled, taskCount }
  const patterns = new Patterns({ bucketMs: 1_000, samples: 1 })
  const asked = {
    ...{ selector: parseSelector(query, {}), startTime: 0, endTime: count, limit: 0 },
    ...{ order: 'asc' as const, after: undefined, collector: patterns.request },
  }
  let reader = new SourceReader(1e8)
  let resume: Resume | undefined
  let found = 0
  for (let turns = 1; ; turns++) {
    const task = { query: asked, sources, resume, rebuildsRecords: false, bound: undefined, turn }
    const result = scanSources({ ...task, rowsAtOnce: undefined }, reader)
    reader.trim()
    found += result.count
    patterns.addPlain(result.collected as PlainPatterns)
    if (result.sourcesTaken === 1) {
      const all = patterns.all.map(({ text, count, firstSeen }) => [text, count, firstSeen])
      return { turns, found, all: all.sort() }
    }
    t.equal(found, 0, 'nothing is counted before all is prepared')
    resume = result.resume
    if (isForgetful) reader = new SourceReader(0)
  }
}

t.test('others have their turn while the kinds of a block are found', async t => {
  const path = `${t.testdir()}/00000007.seg`
  for (const query of ['logs', 'logs{log_level="error"}']) {
    const records = recordsOf(query === 'logs' ? 'all' : 'some')
    const crowded = ask(path, records, { query })
    t.ok(crowded.turns > 2, `${query}: ${crowded.turns} turns`)
    const alone = ask(path, records, { query, waiting: 1 })
    t.equal(alone.turns, 1, query)
    t.same(crowded.all, alone.all)
    t.equal(crowded.found, query === 'logs' ? count : count / 5)
  }
})

t.test('what is forgotten between two turns is found in the end', async t => {
  const path = `${t.testdir()}/00000007.seg`
  const { turns, found, all } = ask(path, recordsOf('forgotten'), { isForgetful: true })
  t.ok(turns > 2, `${turns} turns`)
  t.equal(found, count)
  t.equal(all.length, 2_500)
})
