/** Which filters the main thread keeps, and what it asks for. */
import t from 'tap'
import type { BlockRef } from '../../src/index/source.ts'
import { parseSingle } from '../../src/language/grammar.ts'
import { everyOther, KeptFilters } from '../../src/query/kept-filters.ts'
import type { PlannedSource } from '../../src/query/plan.ts'
import { Predicate } from '../../src/query/predicate.ts'
import { type PlainBlockFilters, RunFilters } from '../../src/segment/skip/run-filters.ts'
import { textKinds } from '../../src/segment/skip/skip-index.ts'

/** The run of that number has one block, which has an attribute of its own. */
function filtersOf(run: number): PlainBlockFilters[] {
  return [
    {
      messageKind: textKinds.present,
      letters: new Uint8Array(64),
      words: undefined,
      attributes: [[`a${run}`, textKinds.present]],
    },
  ]
}

const bytesOfRun = new RunFilters(filtersOf(1)).heldBytes

function planned(run: number, segment = 1): PlannedSource & { readonly source: BlockRef } {
  const at = { offset: 1_000 * run, bytes: 9, crc: 9 }
  const skip = { index: at, block: 0 }
  const source = { kind: 'block', segment, directory: at, bytes: 99, skip } as const
  return { source, minTimestamp: 0, maxTimestamp: 9 }
}

/** Asks for records that have an attribute; tells how many blocks are left. */
function ask(kept: KeptFilters, runs: readonly PlannedSource[], query = 'logs{a1="v"}'): number {
  const { sources, prunedCount } = kept.prune([...runs], new Predicate(parseSingle(query).selector))
  return prunedCount === runs.length - sources.length ? sources.length : Number.NaN
}

/** Notes all that is wanted; tells how many runs that were. */
function learn(kept: KeptFilters): number {
  for (let count = 0; ; count++) {
    const { wanted } = kept
    if (wanted === undefined || count > 500) return count
    kept.note(wanted, filtersOf(wanted.skip!.index.offset / 1_000))
  }
}

t.test('what a question lacks is wanted, and then decides', async t => {
  const kept = new KeptFilters(1e6)
  const runs = [planned(1), planned(2), planned(3)]
  t.equal(ask(kept, runs), 3)
  t.equal(learn(kept), 3)
  t.equal(ask(kept, runs), 1, 'the block that has the attribute is left')
  t.equal(ask(kept, runs, 'logs{a1="v"} or logs{a3="v"}'), 2, 'one alternative is enough')
  t.equal(ask(kept, runs, 'logs{a1!="v"}'), 3)
  t.equal(ask(kept, runs, 'logs'), 3)
  t.equal(kept.wanted, undefined)
})

t.test('each block of a run is looked at by itself', async t => {
  const kept = new KeptFilters(1e6)
  const { source, ...times } = planned(1)
  const second = { ...times, source: { ...source, skip: { ...source.skip!, block: 1 } } }
  const blocks = [planned(1), second]
  ask(kept, blocks)
  kept.note(kept.wanted!, [...filtersOf(1), ...filtersOf(2)])
  t.equal(kept.wanted, undefined, 'one look at a run is enough')
  const leftOf = (query: string) => {
    const { sources } = kept.prune([...blocks], new Predicate(parseSingle(query).selector))
    return sources.map(({ source }) => (source.kind === 'block' ? source.skip?.block : -1))
  }
  t.strictSame(leftOf('logs{a1="v"}'), [0])
  t.strictSame(leftOf('logs{a2="v"}'), [1])
})

t.test('nothing is wanted for what is not decided here', async t => {
  const kept = new KeptFilters(1e6)
  t.equal(ask(kept, [planned(1)], 'logs'), 1)
  const many = Array.from({ length: 257 }, (_, i) => planned(i))
  t.equal(ask(kept, many), 257)
  const { source, ...times } = planned(1)
  const journal = { kind: 'journal', file: 1, offset: 0, bytes: 9 } as const
  t.equal(ask(kept, [{ ...times, source: journal }]), 1)
  t.equal(ask(kept, [{ ...times, source: { ...source, skip: undefined } }]), 1)
  t.equal(kept.wanted, undefined)
})

t.test('what cannot be read is asked for once', async t => {
  const kept = new KeptFilters(1e6)
  ask(kept, [planned(2)])
  kept.note(kept.wanted!, undefined)
  t.equal(ask(kept, [planned(2)]), 1)
  t.equal(kept.wanted, undefined)
})

t.test('what is gone is forgotten', async t => {
  const kept = new KeptFilters(bytesOfRun)
  ask(kept, [planned(2, 1), planned(3, 2)])
  kept.keepOnly(segment => segment === 1)
  t.equal(learn(kept), 1)
  kept.keepOnly(() => false)
  t.equal(ask(kept, [planned(3, 2)]), 1)
  t.equal(learn(kept), 1)
  t.equal(ask(kept, [planned(3, 2)]), 0, 'its room is free again')
})

t.test('what is full stays so until nobody has asked for something for long', async t => {
  const kept = new KeptFilters(2 * bytesOfRun)
  const [used, idle, other] = [planned(2), planned(3), planned(4)]
  ask(kept, [used, idle])
  learn(kept)
  for (let i = 0; i < 20; i++) t.equal(ask(kept, [used]), 0)
  t.equal(ask(kept, [other]), 1)
  learn(kept)
  t.equal(ask(kept, [other]), 1, 'there is no room')
  t.equal(kept.wanted, undefined, 'nor is it asked for again and again')
  for (let i = 0; i < 65; i++) t.equal(ask(kept, [used]), 0)
  t.equal(ask(kept, [other]), 1)
  t.equal(learn(kept), 1)
  t.equal(ask(kept, [used, idle, other]), 1, 'the one that nobody asked for has gone')
})

t.test('of the questions of a warm-up every other one is left to the threads', async t => {
  const kept = new KeptFilters(1e6)
  const some = [planned(1), planned(2)]
  const predicate = new Predicate(parseSingle('logs{a1="v"}').selector)
  const pruner = everyOther(kept)
  t.equal(pruner.prune(some, predicate).sources.length, 2)
  t.equal(learn(kept), 2, 'what it lacks is wanted even so')
  const left = [1, 2, 3, 4].map(() => pruner.prune(some, predicate).sources.length)
  t.strictSame(left, [1, 2, 1, 2])
})
