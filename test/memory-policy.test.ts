/** What the memory policy makes of machines. */
import t from 'tap'
import {
  allocatorEnvironment,
  heapReserveBytes,
  leavesArraysUncounted,
  runningFlags,
  scanCacheBytes,
  scanThreadLimits,
  sealHeapMb,
  startFlags,
  uncountedGarbageBytes,
  warmUpMs,
} from '../src/memory-policy.js'

t.test('threads that collect garbage leave one core free', async t => {
  const threadsOf = (cores: number) =>
    startFlags(cores, 1).find(flag => /^--v8-pool-size=/.test(flag))
  t.same(
    [1, 2, 4, 64].map(threadsOf),
    [1, 1, 3, 4].map(count => `--v8-pool-size=${count}`),
  )
})

t.test('freed arrays go back at once only where memory is scarce', async t => {
  const gib = 1024 ** 3
  const scarce = allocatorEnvironment(8 * gib - 1)
  t.match(scarce, { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: String(64 * 1024) })
  t.notOk('GLIBC_TUNABLES' in scarce)
  const roomy = allocatorEnvironment(8 * gib)
  t.match(roomy, { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: String(4 * 1024 ** 2) })
  t.equal(roomy.GLIBC_TUNABLES, 'glibc.malloc.hugetlb=1')
})

t.test('what is touched before it is needed stays, where memory is plentiful', async t => {
  const gib = 1024 ** 3
  t.equal(heapReserveBytes(8 * gib - 1), 0)
  t.equal(heapReserveBytes(8 * gib), 32 * 1024 ** 2)
  const kept = Number(allocatorEnvironment(8 * gib).MALLOC_TRIM_THRESHOLD_)
  t.ok(kept > heapReserveBytes(8 * gib))
})

t.test('scan threads collect less often where memory is plentiful', async t => {
  const gib = 1024 ** 3
  const oldMb = (bytes: number) => runningFlags(bytes).find(flag => flag.includes('old-space'))
  t.same(
    [8 * gib - 1, 8 * gib].map(oldMb),
    [32, 48].map(mb => `--initial-old-space-size=${mb}`),
  )
  const youngMb = (bytes: number) => scanThreadLimits(bytes).maxYoungGenerationSizeMb
  t.same([8 * gib - 1, 8 * gib].map(youngMb), [4, 12])
  t.same([8 * gib - 1, 8 * gib].map(leavesArraysUncounted), [false, true])
})

t.test('V8 keeps shapes, and gives back no memory at rest where it is plentiful', async t => {
  const gib = 1024 ** 3
  for (const [bytes, isKept] of [
    [8 * gib - 1, false],
    [8 * gib, true],
  ] as const) {
    t.equal(startFlags(2, bytes).includes('--no-memory-reducer'), isKept)
    t.equal(runningFlags(bytes).includes('--no-memory-reducer'), isKept)
    t.ok(runningFlags(bytes).includes('--retain-maps-for-n-gc=1000'))
  }
})

t.test('half of what a scan thread holds may lie there as garbage, within bounds', async t => {
  const mib = 1024 ** 2
  t.same(
    [0, 8, 32, 34, 100, 128, 130, 1_000].map(held => uncountedGarbageBytes(held * mib) / mib),
    [16, 16, 16, 17, 50, 64, 64, 64],
  )
})

t.test('where memory is scarce a service asks itself less after a start', async t => {
  const gib = 1024 ** 3
  t.same([8 * gib - 1, 8 * gib].map(warmUpMs), [2_000, 3_000])
})

t.test('scans keep three of 128 parts of the memory, within bounds', async t => {
  const mib = 1024 ** 2
  t.equal(scanCacheBytes(512 * mib), 96 * mib, 'what a small container promises')
  t.equal(scanCacheBytes(4_096 * mib), 96 * mib)
  t.equal(scanCacheBytes(8_192 * mib), 192 * mib)
  t.equal(scanCacheBytes(65_536 * mib), 320 * mib)
})

t.test('sealing may hold half of the memory, and never less than other threads', async t => {
  const mib = 1024 ** 2
  t.equal(sealHeapMb(256 * mib), 256)
  t.equal(sealHeapMb(24_576 * mib), 12_288)
})
