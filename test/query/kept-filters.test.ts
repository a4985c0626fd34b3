/** Which filters the main thread keeps, and what it asks for. */
import t from 'tap'
import type { BlockRef, SourceRef } from '../../src/index/source.ts'
import { parseSingle } from '../../src/language/grammar.ts'
import { type BlockPruner, everyOther, KeptFilters } from '../../src/query/kept-filters.ts'
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

function blockOf(run: number, segment = 1): BlockRef {
  const at = { offset: 1_000 * run, bytes: 9, crc: 9 }
  const skip = { index: at, block: 0 }
  return { kind: 'block', segment, directory: at, bytes: 99, skip }
}

/** A clock for which no question takes long. */
const standing = () => 0

/** What is quickly said of each source. */
function verdicts(pruner: BlockPruner, sources: readonly SourceRef[], query: string) {
  const sieve = pruner.sieveFor(new Predicate(parseSingle(query).selector), sources.length)
  return sources.map(source => sieve?.verdict(source))
}

/** Asks for records that have an attribute; tells how many blocks are left. */
function ask(pruner: BlockPruner, runs: readonly SourceRef[], query = 'logs{a1="v"}'): number {
  return verdicts(pruner, runs, query).filter(verdict => verdict !== 'none').length
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
  const kept = new KeptFilters(1e6, standing)
  const runs = [blockOf(1), blockOf(2), blockOf(3)]
  t.equal(ask(kept, runs), 3)
  t.equal(learn(kept), 3)
  t.equal(ask(kept, runs), 1, 'the block that has the attribute is left')
  t.equal(ask(kept, runs, 'logs{a1="v"} or logs{a3="v"}'), 2, 'one alternative is enough')
  t.equal(ask(kept, runs, 'logs{a1!="v"}'), 3)
  t.equal(ask(kept, runs, 'logs'), 3)
  t.equal(kept.wanted, undefined)
})

t.test('of two thousand blocks it says which are left, and of more nothing', async t => {
  const kept = new KeptFilters(1e6, standing)
  ask(kept, [blockOf(1), blockOf(2)])
  learn(kept)
  const many = Array.from({ length: 2_047 }, () => blockOf(2))
  t.equal(ask(kept, [...many, blockOf(1)]), 1)
  t.equal(ask(kept, [...many, blockOf(2), blockOf(1)]), 2_049)
})

t.test('after two milliseconds it leaves the rest to the threads', async t => {
  let nowMs = 0
  const kept = new KeptFilters(1e6, () => nowMs++)
  ask(kept, [blockOf(1), blockOf(2)])
  learn(kept)
  const many = Array.from({ length: 20 }, () => blockOf(2))
  t.equal(ask(kept, many), 12, 'each four blocks take a millisecond')
})

t.test('each block of a run is looked at by itself', async t => {
  const kept = new KeptFilters(1e6, standing)
  const first = blockOf(1)
  const blocks = [first, { ...first, skip: { ...first.skip!, block: 1 } }]
  ask(kept, blocks)
  kept.note(kept.wanted!, [...filtersOf(1), ...filtersOf(2)])
  t.equal(kept.wanted, undefined, 'one look at a run is enough')
  t.strictSame(verdicts(kept, blocks, 'logs{a1="v"}'), [undefined, 'none'])
  t.strictSame(verdicts(kept, blocks, 'logs{a2="v"}'), ['none', undefined])
})

t.test('what only columns tell more about is said to be so', async t => {
  const kept = new KeptFilters(1e6, standing)
  const [block] = filtersOf(1)
  const attributes: PlainBlockFilters['attributes'] = [
    ['id', textKinds.filtered],
    ['other', textKinds.present],
  ]
  const blocks = [blockOf(1)]
  ask(kept, blocks)
  kept.note(kept.wanted!, [{ ...block!, attributes }])
  const verdictOn = (query: string) => verdicts(kept, blocks, query)[0]
  t.equal(verdictOn('logs{id="v"}'), 'some')
  t.equal(verdictOn('logs{none="v"} or logs{id="v"}'), 'some')
  t.equal(verdictOn('logs{other="v"} or logs{id="v"}'), 'some', 'one alternative is enough')
  t.equal(verdictOn('logs{id="v", other="v"}'), undefined, 'values of the other may be told')
  t.equal(verdictOn('logs{id="v", id!="w"}'), undefined)
  t.equal(verdictOn('logs{id="v"} |= "zqxv"'), 'none')
  t.equal(verdictOn('logs{id="v"} |= ""'), undefined)
  t.equal(verdictOn('logs{id="v"} | json | user = "zed"'), undefined, 'stages need more')
})

t.test('nothing is wanted for what is not decided here', async t => {
  const kept = new KeptFilters(1e6, standing)
  t.equal(ask(kept, [blockOf(1)], 'logs'), 1)
  const many = Array.from({ length: 2_049 }, (_, i) => blockOf(i))
  t.equal(ask(kept, many), 2_049)
  t.equal(ask(kept, [{ kind: 'journal', file: 1, offset: 0, bytes: 9 }]), 1)
  t.equal(ask(kept, [{ ...blockOf(1), skip: undefined }]), 1)
  t.equal(kept.wanted, undefined)
})

t.test('what cannot be read is asked for once', async t => {
  const kept = new KeptFilters(1e6, standing)
  ask(kept, [blockOf(2)])
  kept.note(kept.wanted!, undefined)
  t.equal(ask(kept, [blockOf(2)]), 1)
  t.equal(kept.wanted, undefined)
})

t.test('what is gone is forgotten', async t => {
  const kept = new KeptFilters(bytesOfRun, standing)
  ask(kept, [blockOf(2, 1), blockOf(3, 2)])
  kept.keepOnly(segment => segment === 1)
  t.equal(learn(kept), 1)
  kept.keepOnly(() => false)
  t.equal(ask(kept, [blockOf(3, 2)]), 1)
  t.equal(learn(kept), 1)
  t.equal(ask(kept, [blockOf(3, 2)]), 0, 'its room is free again')
})

t.test('what is full stays so until nobody has asked for something for long', async t => {
  const kept = new KeptFilters(2 * bytesOfRun, standing)
  const [used, idle, other] = [blockOf(2), blockOf(3), blockOf(4)]
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
  const kept = new KeptFilters(1e6, standing)
  const some = [blockOf(1), blockOf(2)]
  const pruner = everyOther(kept)
  t.equal(ask(pruner, some), 2)
  t.equal(learn(kept), 2, 'what it lacks is wanted even so')
  const left = [1, 2, 3, 4].map(() => ask(pruner, some))
  t.strictSame(left, [1, 2, 1, 2])
})
