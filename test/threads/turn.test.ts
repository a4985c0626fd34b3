import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { compilePattern } from '../../src/match/pattern.ts'
import { Groups } from '../../src/query/collect/groups.ts'
import { type ExecuteResult, execute } from '../../src/query/execute.ts'
import type { Plan } from '../../src/query/plan.ts'
import { rebuildRecords } from '../../src/query/rebuild-rows.ts'
import { scanSources } from '../../src/query/scan.ts'
import type { Priority, ScanJob, ScanPool } from '../../src/query/scan-pool.ts'
import type { ScanQuery, ScanResult, ScanSource } from '../../src/query/scan-task.ts'
import { newSharedBound } from '../../src/query/shared-bound.ts'
import { SourceReader } from '../../src/query/source-reader.ts'
import type { Order } from '../../src/query/top-k.ts'
import { Turn, type TurnBounds, TurnOver } from '../../src/threads/turn.ts'
import { forAllAsync } from '../for-all.ts'
import { OneLane } from '../query/one-lane.ts'
import { arbitraryGrouping, object } from '../query/plain.ts'
import { makeSources } from '../query/sources.ts'
import { sealRecords } from '../segment/sealed.ts'

const forEver = Number.POSITIVE_INFINITY
const shared = (value: number) => new Int32Array(new SharedArrayBuffer(4)).fill(value)

/** Bounds by the priority; a time of -1 is over before it begins. */
type Bounds = Readonly<Record<Priority, Pick<TurnBounds, 'turnMs' | 'longMs'>>>

const endless: Bounds = {
  normal: { turnMs: forEver, longMs: forEver },
  low: { turnMs: forEver, longMs: forEver },
}

/** One lane in this thread, in which others always wait. */
class LaneHere extends OneLane {
  readonly #bounds: Bounds
  readonly #reader = new SourceReader(1e9)
  /** How tasks ended that had not taken all. */
  readonly ends = { long: 0, inRange: 0, inSelection: 0 }
  readonly priorities = new Set<Priority>()

  constructor(bounds: Bounds) {
    super()
    this.#bounds = bounds
  }

  override run<T>(_: AbortSignal, work: (job: ScanJob) => Promise<T>): Promise<T> {
    const cancelled = shared(0)
    return work({
      cancelled,
      sharedBound: newSharedBound(),
      scan: async (_lane, priority, task) => {
        const turn = { ...this.#bounds[priority], cancelled, taskCount: shared(2) }
        const result = scanSources({ ...task, turn }, this.#reader)
        this.#note(priority, result)
        return result
      },
      rebuild: async (_lane, task) => rebuildRecords(task, this.#reader),
      exportWindow: () => Promise.reject(new Error('nothing is exported here')),
      levelEnds: () => Promise.reject(new Error('nothing is learnt here')),
      runFilters: () => Promise.reject(new Error('no filters are learnt here')),
    })
  }

  #note(priority: Priority, { isLong, resumeAt, resume }: ScanResult): void {
    this.priorities.add(priority)
    if (resume !== undefined) this.ends.inSelection++
    if (isLong) this.ends.long++
    if (resumeAt !== undefined) this.ends.inRange++
  }
}

interface Answer extends Omit<ExecuteResult, 'stats'> {
  readonly groups: unknown
  readonly stats: Pick<ExecuteResult['stats'], 'frames' | 'damagedFrames'>
  /** Opened or not: a later task knows better than the one task of an endless turn which need not be. */
  readonly blocks: number
}

async function ask(
  sources: readonly ScanSource[],
  query: Omit<ScanQuery, 'collector'>,
  by: readonly string[],
  pool: ScanPool,
): Promise<Answer> {
  const everywhere = { minTimestamp: 0, maxTimestamp: 60 }
  const scanned = sources.map(({ source }) => ({ source, ...everywhere }))
  const stats = { entries: 0, blockEntries: 0, entriesPruned: 0, sourcesFromIndex: 0 }
  const plan: Plan = { count: 0, scanned, searched: [], siftedCount: 0, stats }
  const collector = new Groups(by)
  const pathOf = (wanted: object) => sources.find(({ source }) => source === wanted)!.path
  const { signal } = new AbortController()
  const asked = { ...query, collector: collector.request }
  const result = await execute(plan, asked, collector, pathOf, pool, signal)
  const groups = collector.toPlain().map(group => JSON.stringify(group))
  const { frames, damagedFrames, blocks, blocksPrunedByFilter, blocksPrunedByTemplate } =
    result.stats
  return {
    ...result,
    groups: groups.sort(),
    stats: { frames, damagedFrames },
    blocks: blocks + blocksPrunedByFilter + blocksPrunedByTemplate,
  }
}

t.test('an answer is the same, wherever turns end on the way', async t => {
  const { sources } = makeSources(t.testdir())
  const arbitraryMs = fc.constantFrom(-1, 0.05, forEver)
  const asked = object({
    limit: fc.integer({ min: 0, max: 20 }),
    order: fc.constantFrom<Order>('asc', 'desc'),
    startTime: fc.integer({ min: -1, max: 50 }),
    endTime: fc.integer({ min: 10, max: 61 }),
  })
  const arbitraryBounds = object({
    turnMs: arbitraryMs,
    longMs: arbitraryMs,
    longTurnMs: arbitraryMs,
  })
  const ends = { long: 0, inRange: 0, inSelection: 0 }
  await forAllAsync(
    { numRuns: 150 },
    arbitraryGrouping,
    asked,
    arbitraryBounds,
    async (grouping, more, ms) => {
      const { selector, by } = grouping
      const query = { ...more, selector, after: undefined }
      const pool = new LaneHere({
        normal: ms,
        low: { turnMs: ms.longTurnMs, longMs: forEver },
      })
      const interrupted = await ask(sources, query, by, pool)
      assert.deepEqual(interrupted, await ask(sources, query, by, new LaneHere(endless)))
      ends.long += pool.ends.long
      ends.inRange += pool.ends.inRange
      ends.inSelection += pool.ends.inSelection
    },
  )
  t.ok(ends.long > 10, `${ends.long} selections were given up`)
  t.ok(ends.inRange > 30, `${ends.inRange} ranges were gone on with`)
  t.ok(ends.inSelection > 100, `${ends.inSelection} selections were gone on with`)
})

t.test('a query goes on at low priority only where a single text takes too long', async t => {
  const stream = { service: 'api', environment: 'prod' }
  const prioritiesWith = async (message: string, longMs: number) => {
    const path = `${t.testdir()}/00000001.seg`
    const records = Array.from({ length: 100 }, (_, timestamp) => {
      return { timestamp, level: 'info', message, attributes: [], stream }
    })
    const { blocks } = sealRecords(path, 1, [records])
    const sources = blocks.map(({ directory, blockBytes: bytes }, number): ScanSource => {
      const source = { kind: 'block', segment: 1, directory, bytes, skip: undefined } as const
      return { number, path, source, isCounted: false }
    })
    const slow = { label: 'message', operator: '!~', value: '[a-z]{3}(?i)never' } as const
    const query = {
      selector: { kind: 'selector', matchers: [slow], filters: [] },
      ...({ startTime: 0, endTime: 100, limit: 1, order: 'asc', after: undefined } as const),
    } as const
    const pool = new LaneHere({ ...endless, normal: { turnMs: forEver, longMs } })
    t.equal((await ask(sources, query, [], pool)).count, records.length)
    return [...pool.priorities]
  }
  const short = 'a word'
  const long = 'word '.repeat(1_000)
  t.same(await prioritiesWith(short, forEver), ['normal'])
  t.same(await prioritiesWith(long, forEver), ['normal'])
  t.same(await prioritiesWith(short, -1), ['normal'])
  t.same(await prioritiesWith(long, -1), ['normal', 'low'])
})

/** Runs of letters, of `gap` on average, with a digit behind each. */
function restlessText(gap: number): string {
  let seed = 1
  const below = (bound: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((seed / 2 ** 32) * bound)
  }
  let text = ''
  while (text.length < 400_000) {
    text += String.fromCharCode(97 + below(26)).repeat(1 + below(2 * gap)) + below(10)
  }
  return text
}

t.test('a turn ends in the middle of one long text, and later matches are right', async t => {
  // The automaton must remember where the last digits were.
  const breaksOff = (expression: string, gap: number, what: string) => {
    const longMs = 1
    const text = restlessText(gap)
    const pattern = compilePattern(expression, 'anywhere')
    const within = (bounds: Partial<TurnBounds>) => {
      const turn = new Turn({ turnMs: forEver, longMs: forEver, cancelled: shared(0), ...bounds })
      return turn.within(() => pattern.matches(text))
    }
    t.throws(() => within({ longMs }), { name: 'TurnOver' }, what)
    t.equal(within({}), false, 'within a turn that has no end')
    t.equal(pattern.matches(`${text}A`), compilePattern(expression, 'anywhere').matches(`${text}A`))
    t.equal(pattern.matches(`${text}0${'a'.repeat(40)}A`), true, 'outside of a turn')
  }
  breaksOff('[0-9][a-z0-9]{40}[A-Z]', 50, 'when it forgets its states')
  breaksOff('[0-9][a-z0-9]{40}[A-Z]', 10, 'when its states are bits')

  const slow = compilePattern('(?:[x-z]?){100}[0-9][a-z0-9]{40}[A-Z]', 'anywhere')
  const turn = new Turn({ turnMs: forEver, longMs: 1, cancelled: shared(0) })
  const text = restlessText(10)
  t.throws(() => turn.within(() => slow.matches(text)), { name: 'TurnOver' }, 'in the slow engine')
})

t.test('who waits and who is cancelled decide when a selection ends', async t => {
  const pattern = compilePattern('[a-z]b', 'anywhere')
  const texts = Array.from({ length: 100 }, () => 'a'.repeat(100))
  const ends = (bounds: Partial<TurnBounds>) => {
    const usual = { turnMs: forEver, longMs: forEver, cancelled: shared(0) }
    const turn = new Turn({ ...usual, ...bounds })
    try {
      turn.within(() => texts.filter(text => pattern.matches(text)))
      return false
    } catch (error) {
      if (error instanceof TurnOver) return true
      throw error
    }
  }
  t.equal(ends({}), false)
  t.equal(ends({ longMs: -1 }), true, 'too long')
  t.equal(ends({ longMs: 1e6, turnMs: -1 }), false, 'there is no other')
  t.equal(ends({ longMs: 1e6, turnMs: -1, taskCount: shared(1) }), false, 'no other waits')
  t.equal(ends({ longMs: 1e6, turnMs: -1, taskCount: shared(2) }), true, 'another waits')
  t.equal(ends({ turnMs: -1, taskCount: shared(2) }), false, 'as long as it takes')
  t.equal(ends({ cancelled: shared(1) }), true, 'nobody wants it')
  t.same(
    texts.filter(text => pattern.matches(text)),
    [],
    'outside of a turn nothing ends',
  )
})

t.test('what must not end half done ends only when nobody wants it', async t => {
  const pattern = compilePattern('[a-z]b', 'anywhere')
  const ends = (bounds: Partial<TurnBounds>) => {
    const usual = { turnMs: -1, longMs: -1, cancelled: shared(0), taskCount: shared(2) }
    const turn = new Turn({ ...usual, ...bounds })
    const matchMany = () => {
      for (let i = 0; i < 100; i++) pattern.matches('a'.repeat(100))
    }
    t.throws(() => turn.within(matchMany), { name: 'TurnOver' }, 'a selection')
    try {
      turn.toItsEnd(matchMany)
      return false
    } catch (error) {
      if (error instanceof TurnOver) return true
      throw error
    }
  }
  t.equal(ends({}), false, 'others wait')
  t.equal(ends({ cancelled: shared(1) }), true, 'cancelled')
})
