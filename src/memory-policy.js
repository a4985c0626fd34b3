/**
 * How the memory of the process is bounded, in one place; `src/threads/README.md` has the measurements.
 * Plain JavaScript, because the launcher reads it on any Node.
 */
import { totalmem } from 'node:os'

/** Bytes of memory of the machine, or of the container if that has less. */
export const machineMemoryBytes = Math.min(
  totalmem(),
  process.constrainedMemory?.() || Number.POSITIVE_INFINITY,
)

const mib = 1024 * 1024
const gib = 1024 * mib

/** From so much memory on, fresh pages are dearer than what lies free between others. */
const roomyMemoryBytesMin = 8 * gib

/**
 * Memory that the main thread touches after a start and leaves free in its heap, on a machine or in a
 * container that has so many bytes: hundreds of bodies that come in one moment take 20 MB. None where
 * memory is scarce.
 */
export function heapReserveBytes(memoryBytes) {
  return memoryBytes >= roomyMemoryBytesMin ? 32 * mib : 0
}

/**
 * glibc's allocator, on a machine or in a container that has so many bytes: few arenas, and half of the maps
 * that Linux gives to a process left to others.
 *
 * Where memory is scarce, arrays of 64 KiB and more have pages of their own, which the system has back the
 * moment they are freed (fresh pages cost more than what most smaller arrays are for). Where it is not, only
 * those of 4 MiB and more have, 64 MiB stay for the next ones (`heapReserveBytes`, and as much again), and
 * what is fresh comes in huge pages: on virtual machines the first touch of a page may take 10 µs and more,
 * and of a huge one, of 512 times the size, 250, or 5,000 where the hypervisor has to find it first.
 */
export function allocatorEnvironment(memoryBytes) {
  const isRoomy = memoryBytes >= roomyMemoryBytesMin
  return {
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_MAX_: '32768',
    MALLOC_MMAP_THRESHOLD_: isRoomy ? '4194304' : '65536',
    MALLOC_TRIM_THRESHOLD_: isRoomy ? '67108864' : '131072',
    ...(isRoomy && { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' }),
  }
}

/** V8's heap of the main thread: 16 MB of young objects, and a first collection at 32 MB of old ones. */
const mainHeapFlags = ['--max-semi-space-size=8', '--initial-old-space-size=32']

/** V8's own threads, which compile, and collect garbage, beside all others; it takes four on any machine. */
const v8ThreadsMax = 4

/**
 * How the process is started on a machine of so many cores and bytes of memory. V8's own threads are as
 * urgent as the main thread: they leave one core free, if there are two.
 */
export function startFlags(cores, memoryBytes) {
  const v8Threads = Math.min(Math.max(cores - 1, 1), v8ThreadsMax)
  return [...mainHeapFlags, ...restFlags(memoryBytes), `--v8-pool-size=${v8Threads}`]
}

/**
 * What V8 does of a thread that has nothing to do: some seconds after its last collection it gives back some
 * 30 MB, and throws away what it has compiled for objects of which there are none at that moment, which are
 * most of those that a question makes. Where memory is not scarce both stay.
 */
function restFlags(memoryBytes) {
  return memoryBytes >= roomyMemoryBytesMin ? ['--no-memory-reducer'] : []
}

/**
 * V8's heaps from the moment that the service has begun, on a machine or in a container that has so many
 * bytes: between two collections they grow by what is alive and not to the fourfold, and each further thread
 * has the young generation of its own limits and a first collection at 32 MB (48 where memory is not scarce:
 * a scan thread has 40 of 20 million records), which the flags above would override. Arrays count that V8
 * knows of (`threads/uncounted-memory.ts`): with a first collection at 8 MB and growth by a quarter, a third
 * of the time of all questions went into marking.
 *
 * Shapes of objects stay where none is left of them, but for those of which nothing is compiled: what was
 * compiled for them stays with them (`threads/garbage.ts`).
 *
 * Young objects are collected by the thread that made them, without V8's own threads: of a scan thread they
 * are a few megabytes, and where questions keep all cores busy it waited for a helper that had no core.
 */
export function runningFlags(memoryBytes) {
  const isRoomy = memoryBytes >= roomyMemoryBytesMin
  return [
    '--heap-growing-percent=100',
    '--no-parallel-scavenge',
    '--retain-maps-for-n-gc=1000',
    ...restFlags(memoryBytes),
    '--max-semi-space-size=0',
    `--initial-old-space-size=${isRoomy ? 48 : 32}`,
  ]
}

/**
 * How long all that a service asks itself of its store after a start may take, ms: by then V8 has compiled
 * what counts. It leaves garbage, and what more is compiled: 15 MB of the last third, of which a small
 * container has none to spare.
 */
export function warmUpMs(memoryBytes) {
  return memoryBytes >= roomyMemoryBytesMin ? 3_000 : 2_000
}

/**
 * Limits of each thread but the main one, MB. No task needs a tenth of the heap: groups, candidates and
 * answers are bounded (`limits.ts`), columns lie outside of it.
 */
export const threadLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 }

/**
 * The same of a scan thread, on a machine or in a container that has so many bytes: young objects are copied
 * a third as often where they may take a few megabytes more.
 */
export function scanThreadLimits(memoryBytes) {
  const isRoomy = memoryBytes >= roomyMemoryBytesMin
  return { ...threadLimits, maxYoungGenerationSizeMb: isRoomy ? 12 : 4 }
}

/**
 * Whether scan threads count the arrays that they keep, and V8 does not (`threads/uncounted-memory.ts`), on a
 * machine or in a container that has so many bytes. Garbage of both kinds may then lie there, for which there
 * is no room where memory is scarce.
 */
export function leavesArraysUncounted(memoryBytes) {
  return memoryBytes >= roomyMemoryBytesMin
}

const uncountedGarbageShare = 1 / 2
const uncountedGarbageBytesMin = 16 * mib
const uncountedGarbageBytesMax = 64 * mib

/**
 * Memory of such arrays that a scan thread has let go of, at which V8 is told to collect it beside work, and
 * at twice as much it must: all that the thread has is marked then, which takes the longer the more that is,
 * 15 to 30 ms over 20 million records. So much the more may lie there where it holds so many bytes. By itself
 * V8 would begin whenever arrays have grown by 64 MB, those that are kept, too.
 */
export function uncountedGarbageBytes(heldBytes) {
  const share = Math.floor(heldBytes * uncountedGarbageShare)
  return Math.min(Math.max(share, uncountedGarbageBytesMin), uncountedGarbageBytesMax)
}

/**
 * The heap limit of the thread that seals, MB. It holds 80 to 160 bytes for each record of a journal
 * file, and how many these are is a setting, of this start or of an earlier one. Reaching the limit would
 * end the whole service, for ever again; so what is there bounds it, and not a number.
 */
export function sealHeapMb(memoryBytes) {
  return Math.max(threadLimits.maxOldGenerationSizeMb, Math.floor(memoryBytes / 2 / mib))
}

const scanCacheShare = 3 / 128
const scanCacheBytesMin = 96 * mib
const scanCacheBytesMax = 320 * mib

/**
 * Memory for what scans keep decoded, on a machine or in a container that has so many bytes: enough for 2
 * million records anywhere, and for what is asked again of 20 million where that takes nothing from
 * others. Decoding is most of what a question costs that was not asked before.
 */
export function scanCacheBytes(memoryBytes) {
  const share = Math.floor(memoryBytes * scanCacheShare)
  return Math.min(Math.max(share, scanCacheBytesMin), scanCacheBytesMax)
}

const filterRoomShare = 1 / 12

/**
 * Memory for token filters, of what a thread keeps decoded: those of 2 million records take 6 MB, and spare
 * each question about an id or a word that the main thread leaves to the others a read of each block. Where
 * there are more than fit, those that were asked first stay.
 */
export function filterRoomBytes(cacheBytes) {
  return Math.floor(cacheBytes * filterRoomShare)
}

const keptFilterShare = 1 / 5

/**
 * Memory for the filters that the main thread keeps beside what scan threads do, with which it asks these
 * only about blocks that may have an id or a word: those of 2 million records anywhere, and of 20 million
 * where all that is kept may take 300 MB. The threads need not keep these then.
 */
export function keptFilterBytes(cacheBytes) {
  return Math.floor(cacheBytes * keptFilterShare)
}

const readAheadShare = 1 / 2

/**
 * Of what a thread keeps decoded, what skip indexes may take that are read before anybody asks: those of
 * 20 million records are some 40 MB. Others must have room, too, and they go last.
 */
export function readAheadBytes(cacheBytes) {
  return Math.floor(cacheBytes * readAheadShare)
}

/** What the task under way has read is worth so many times more: the next one often asks the same. */
const inUseFactor = 2

/** What few questions look at goes before all else. */
const seldomNeededWorth = 2 ** -40

/**
 * What keeping something decoded is worth, to be compared: what it costs to make again for the memory that
 * it takes. What is worth the least is let go of first, so that small things which save much, such as
 * what rules blocks out, stay longest. Half of it is chance: queries go over blocks in the same order, and
 * what is worth the same would each time go just before it is needed. Of what is seldom needed chance alone
 * decides: some of it is then there for those who ask the same again.
 */
export function worthKeeping({ makingMs, heldBytes, isSeldomNeeded }, isInUse) {
  if (isSeldomNeeded) return seldomNeededWorth * (Number(isInUse) + Math.random())
  return (makingMs / heldBytes) * (isInUse ? inUseFactor : 1) * (1 + Math.random())
}
