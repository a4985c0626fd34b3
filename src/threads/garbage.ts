/**
 * Garbage that V8 would let lie: in a thread that blocks until its next task comes, and in one whose
 * garbage is mostly arrays, whose memory lies outside of the heap. V8 lets 64 MB of these gather, in
 * pieces of some kilobytes, and malloc never returns the memory between two that are still in use.
 */
import v8 from 'node:v8'
import vm from 'node:vm'

/** Memory of arrays after which garbage is collected. */
const bytesMax = 4 * 1024 * 1024

/** Of objects and texts: the young ones of a thread, and as many old ones. */
const heapBytesMax = 8 * 1024 * 1024
/** The same after work that is known to leave much: of a few of these V8 keeps tens of megabytes. */
const heapBytesMaxAfterMuch = 2 * 1024 * 1024
/** How long one waits for a collection beside work, ms; on its own it takes some 30. */
const collectionMsMax = 250
/** How often one looks meanwhile whether there is something else to do, ms. */
const lookMs = 5
let seenHeapBytes = Number.POSITIVE_INFINITY

let collect: NodeJS.GCFunction | undefined
/** Memory of arrays after the last collection of each type, or less that was seen since. */
const seenBytes = { minor: 0, major: 0 }

/** Collects all garbage of a thread that rests, and all code that is compiled, which the next task compiles
 *  again; some 50 ms. */
export function collectWithCode(): void {
  collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** Tells that a collection has ended. */
const collected = new FinalizationRegistry<() => void>(tell => tell())

/**
 * Collects the garbage of this thread, old and young, mostly beside its event loop, and no code. Where it is
 * asked for by hand, V8 takes the shapes of objects of which there is none at that moment for garbage, too,
 * and throws away what it has compiled for them. Where it marks beside work, it keeps nearly all of them
 * (`MarkCompactCollector::RetainMaps`, `--retain-maps-for-n-gc`), unless there are so many arrays that it
 * collects at once. What has become garbage since V8 last began to mark may stay, if it marks already.
 * Resolves when it is collected, in some 30 ms, when `isWanted` says that there is something else to do, or
 * after 250 ms: V8 goes on all the same.
 */
export async function collectBesideWork(isWanted = () => false): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  registerGarbage(resolve)
  beginMarking()
  const giveUpAt = performance.now() + collectionMsMax
  const looks = setInterval(() => {
    if (isWanted() || performance.now() > giveUpAt) resolve()
  }, lookMs)
  await promise
  clearInterval(looks)
}

/** In a function of its own, after which nobody knows of it. */
function registerGarbage(tell: () => void): void {
  collected.register({}, tell)
}

/**
 * Collects the garbage of this thread, old and young, some 10 ms, if arrays have grown by so much since
 * the last time that it is worth it: after work whose arrays lived long enough to be taken for old ones,
 * which V8 lets lie until there are 64 MB of them.
 */
export function collectGarbage(): void {
  collectIfGrown('major')
}

/**
 * Collects the young garbage of this thread, about 1 ms, if arrays have grown by so much that it is
 * worth it. To be called now and then by work that makes many.
 */
export function collectYoungGarbage(): void {
  collectIfGrown('minor')
}

/**
 * Collects the garbage of this thread, old and young, if objects and texts have grown by so much since
 * the last time that some of it must be old: V8 lets old ones grow to the double and more. To be called
 * now and then by work that seldom makes any, but then megabytes, as of long names: `leftMuch` when it
 * just did.
 */
export function collectGrownHeap(leftMuch: boolean): void {
  const { used_heap_size: bytes } = v8.getHeapStatistics()
  seenHeapBytes = Math.min(seenHeapBytes, bytes)
  if (bytes < seenHeapBytes + (leftMuch ? heapBytesMaxAfterMuch : heapBytesMax)) return
  collector()({ type: 'major', execution: 'sync' })
  seenHeapBytes = v8.getHeapStatistics().used_heap_size
}

/** Gives back the memory of an array at once, which then is empty. Before Node 22 V8 has no way to. */
export function releaseMemory(buffer: ArrayBuffer): void {
  const transfer: ((byteLength: number) => ArrayBuffer) | undefined = buffer.transfer
  transfer?.call(buffer, 0)
}

/** Collects the young garbage of this thread, or all of it. */
export function collectNow(type: 'minor' | 'major'): void {
  collector()({ type, execution: 'sync' })
}

/** Growth of arrays at which V8 begins to mark. */
const markedBytes = 64 * 1024 * 1024

/**
 * Has V8 begin to mark what this thread still uses, beside its work and mostly in a thread of V8's, after
 * which the rest is collected: within some 100 ms of work. By an array that nobody touches, so that it takes
 * no memory, and which is given back at once, where Node can: for as long as V8 knows of so much, this thread
 * would have to mark for 5 to 10 ms each time that it makes any other one
 * (`Heap::ReportExternalMemoryPressure`).
 */
export function beginMarking(): void {
  releaseMemory(new ArrayBuffer(markedBytes + 1))
}

function collectIfGrown(type: 'minor' | 'major'): void {
  const { external_memory: bytes } = v8.getHeapStatistics()
  seenBytes[type] = Math.min(seenBytes[type], bytes)
  if (bytes < seenBytes[type] + bytesMax) return
  collectNow(type)
  seenBytes[type] = v8.getHeapStatistics().external_memory
}

function collector(): NodeJS.GCFunction {
  if (collect === undefined) {
    v8.setFlagsFromString('--expose-gc')
    collect = vm.runInNewContext('gc') as NodeJS.GCFunction
  }
  return collect
}
