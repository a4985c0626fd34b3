/** Arrays that V8 does not count, and their garbage. */
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import v8 from 'node:v8'
import t from 'tap'
import { beginMarking, collectNow } from '../../src/threads/garbage.ts'
import {
  keptArray,
  keptBuffer,
  leaveUncounted,
  UncountedGarbage,
} from '../../src/threads/uncounted-memory.ts'

const mib = 1024 * 1024
const countedBytes = () => v8.getHeapStatistics().external_memory
/** Of this thread, counted or not. */
const arrayBytes = () => process.memoryUsage().arrayBuffers
/** The same with nothing that other tests have left. */
async function cleanArrayBytes(): Promise<number> {
  for (let i = 0; i < 2; i++) {
    collectNow('major') // What one has found is freed beside all else, at the latest by the next one.
    await pause(20)
  }
  return arrayBytes()
}

/** Makes so many MiB, all of which are held, and has `garbage` look after each. */
function hold(garbage: UncountedGarbage, count: number, look?: (heldBytes: number) => void) {
  const held: Uint8Array[] = []
  for (let i = 0; i < count; i++) {
    held.push(keptArray(Uint8Array, mib))
    garbage.collect(held.length * mib)
    look?.(held.length * mib)
  }
  return held
}

t.test('until a thread has them uncounted, arrays are as others', async t => {
  const before = countedBytes()
  const array = keptArray(Uint8Array, 64 * mib)
  const buffer = keptBuffer(64 * mib)
  t.ok(countedBytes() - before > 100 * mib)
  t.ok(array.buffer instanceof ArrayBuffer && buffer.buffer instanceof ArrayBuffer)
  new UncountedGarbage().collect(0)
})

t.test('then V8 counts none but small ones', async t => {
  leaveUncounted()
  const before = countedBytes()
  const array = keptArray(Uint8Array, 64 * mib)
  const buffer = keptBuffer(64 * mib)
  t.ok(countedBytes() - before < 28 * mib)
  t.same([array.length, buffer.length], [64 * mib, 64 * mib])
  t.ok(keptArray(Uint32Array, 100_000).every(number => number === 0))
  t.ok(keptArray(Uint8Array, 1_023).buffer instanceof ArrayBuffer)
  t.equal(keptBuffer(1_023).length, 1_023)
})

t.test('what died young goes', async t => {
  const garbage = new UncountedGarbage()
  const baseBytes = await cleanArrayBytes()
  let most = 0
  for (let i = 0; i < 200; i++) {
    keptArray(Uint8Array, mib)
    garbage.collect(0)
    most = Math.max(most, arrayBytes() - baseBytes)
  }
  t.ok(most < 30 * mib, `${Math.round(most / mib)} of 200 MiB lay there`)
})

t.test('what grew old before it was let go of goes, too', async t => {
  const garbage = new UncountedGarbage()
  const baseBytes = await cleanArrayBytes()
  let most = 0
  for (let round = 0; round < 10; round++) {
    const held = hold(garbage, 40, heldBytes => {
      most = Math.max(most, arrayBytes() - baseBytes - heldBytes)
    })
    for (let i = 0; i < 2; i++) collectNow('minor')
    t.equal(held.length, 40, 'until it is old')
  }
  t.ok(most < 130 * mib, `${Math.round(most / mib)} of 400 MiB lay there`)
})

t.test('what is let go of at once goes, though nothing more is made', async t => {
  const garbage = new UncountedGarbage()
  const baseBytes = await cleanArrayBytes()
  const held = hold(garbage, 200)
  held.length = 0
  garbage.collect(0)
  const leftMib = Math.round((arrayBytes() - baseBytes) / mib)
  t.ok(leftMib < 100, `${leftMib} of 200 MiB lie there`)
})

t.test('what is not yet so much goes beside work', async t => {
  const garbage = new UncountedGarbage()
  const baseBytes = await cleanArrayBytes()
  const held = hold(garbage, 24)
  for (let i = 0; i < 2; i++) collectNow('minor')
  held.length = 0
  garbage.collect(0)
  t.ok(arrayBytes() - baseBytes > 20 * mib, 'not at once')
  const until = performance.now() + 5_000
  while (arrayBytes() - baseBytes > 10 * mib && performance.now() < until) await pause(1)
  t.ok(arrayBytes() - baseBytes <= 10 * mib)
})

t.test('the more is held, the more may lie there', async t => {
  for (const { heldMib, leftAtOnceMib } of [
    { heldMib: 20, leftAtOnceMib: 0 },
    { heldMib: 200, leftAtOnceMib: 60 },
  ]) {
    const garbage = new UncountedGarbage()
    const baseBytes = await cleanArrayBytes()
    const held = hold(garbage, heldMib + 60)
    for (let i = 0; i < 2; i++) collectNow('minor')
    held.length = heldMib
    garbage.collect(heldMib * mib)
    collectNow('minor') // What was found is freed by the next one.
    const leftMib = Math.round((arrayBytes() - baseBytes) / mib) - heldMib
    const isExpected = Math.abs(leftMib - leftAtOnceMib) <= 5
    t.ok(isExpected, `of 60 MiB ${leftMib} lie there, where ${heldMib} are held`)
    t.equal(held.length, heldMib)
  }
})

t.test('what is given to others is no garbage, and no reason for more of it', async t => {
  const garbage = new UncountedGarbage()
  const baseBytes = await cleanArrayBytes()
  const given = Array.from({ length: 200 }, () => keptArray(Uint8Array, mib))
  garbage.collect(0, 200 * mib)
  let held: Uint8Array[] = Array.from({ length: 60 }, () => keptArray(Uint8Array, mib))
  garbage.collect(60 * mib, 200 * mib)
  for (let i = 0; i < 2; i++) collectNow('minor')
  held = []
  garbage.collect(0, 200 * mib)
  collectNow('minor') // What was found is freed by the next one.
  const leftMib = Math.round((arrayBytes() - baseBytes) / mib) - given.length
  t.ok(leftMib <= 5, `${leftMib} of 60 MiB lie there`)
  t.equal(held.length, 0)
})

t.test('what tells V8 to mark is not left there', async t => {
  const before = countedBytes()
  beginMarking()
  // Node 20 has no way to give it back.
  const leftBytes = 'transfer' in ArrayBuffer.prototype ? mib : 70 * mib
  t.ok(countedBytes() - before < leftBytes)
})

t.test('what is held is no garbage: nothing is collected for it', async t => {
  const garbage = new UncountedGarbage()
  let collections = 0
  const observer = new PerformanceObserver(list => {
    collections += list.getEntries().filter(isForced).length
  })
  observer.observe({ entryTypes: ['gc'] })
  t.teardown(() => observer.disconnect())
  const held = hold(garbage, 200)
  await pause(50)
  t.equal(collections, 0)
  held.length = 0
  for (let i = 0; i < 200; i++) {
    keptArray(Uint8Array, mib)
    garbage.collect(0)
  }
  await pause(50)
  t.ok(collections > 0, 'they would have been seen')
})

function isForced(entry: PerformanceEntry): boolean {
  const { flags } = (entry as PerformanceEntry & { detail: { flags: number } }).detail
  return (flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0
}
