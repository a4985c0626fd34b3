/**
 * Memory of arrays that a thread keeps and counts itself, and V8 does not. V8 marks all objects of a thread
 * again whenever its arrays have grown by 64 MB, which a scan thread decodes in a fraction of a second and
 * keeps: that was a twentieth of its time. It counts no shared memory. Garbage is shared memory of which
 * nobody knows any more as other arrays are, but who has V8 not count must ask for its collection:
 * `UncountedGarbage`.
 */
import { uncountedGarbageBytes } from '../memory-policy.js'
import { beginMarking, collectNow } from './garbage.ts'

/** Smaller arrays are counted, and the smallest lie in V8's heap, where they cost a fifth. */
const bytesMin = 1_024

let isUncounted = false
/** Bytes that were made since the thread began. */
let madeBytes = 0

/** From now on V8 does not count the memory below, in this thread. */
export function leaveUncounted(): void {
  isUncounted = true
}

/** An array of `count` integers that is to be kept; all zeros. */
export function keptArray<T>(type: ArrayType<T>, count: number): T {
  const bytes = count * type.BYTES_PER_ELEMENT
  return isCounted(bytes) ? new type(count) : new type(uncountedMemory(bytes))
}

interface ArrayType<T> {
  readonly BYTES_PER_ELEMENT: number
  new (from: number | ArrayBuffer): T
}

/** Bytes to be kept, and to be written over: they hold anything. */
export function keptBuffer(bytes: number): Buffer<ArrayBuffer> {
  return isCounted(bytes) ? Buffer.allocUnsafeSlow(bytes) : Buffer.from(uncountedMemory(bytes))
}

function isCounted(bytes: number): boolean {
  return !isUncounted || bytes < bytesMin
}

function uncountedMemory(bytes: number): ArrayBuffer {
  madeBytes += bytes
  // It is used by one thread, and handed to no other, as any array is.
  return new SharedArrayBuffer(bytes) as unknown as ArrayBuffer
}

/** Made, or let go of, between two looks at what has become garbage. */
const lookBytes = 4 * 1024 * 1024

/** The garbage among this thread's arrays: what it has, less what it is known to hold. */
export class UncountedGarbage {
  /** When it was last looked at. */
  #madeBytes = 0
  #heldBytes = 0
  /** Bytes beyond those that are held, when it was last looked at: garbage that died young is gone then. */
  #otherBytes = Number.POSITIVE_INFINITY
  /** The least of these since all garbage was last collected: what nobody counts as held. */
  #leastBytes = Number.POSITIVE_INFINITY
  #hasBegun = false

  /**
   * Collects it where there is much. `keptBytes`: of all that the thread keeps, as far as it knows;
   * `givenBytes`: of what others have of it, or had. To be called after each piece of work: it is nothing but
   * a comparison until there may be much.
   */
  collect(keptBytes: number, givenBytes = 0): void {
    const heldBytes = keptBytes + givenBytes
    // What is let go of is garbage, too.
    const grownBytes = madeBytes - this.#madeBytes + Math.max(this.#heldBytes - heldBytes, 0)
    if (grownBytes < lookBytes) return
    this.#madeBytes = madeBytes
    this.#heldBytes = heldBytes
    let bytes = otherBytes(heldBytes)
    if (bytes >= this.#otherBytes + lookBytes) {
      collectNow('minor')
      bytes = otherBytes(heldBytes)
    }
    this.#otherBytes = bytes
    this.#leastBytes = Math.min(this.#leastBytes, bytes)
    this.#collectOld(bytes - this.#leastBytes, uncountedGarbageBytes(keptBytes), heldBytes)
  }

  /** V8 marks beside work what it is told of early enough; what it is too late for is collected at once. */
  #collectOld(garbageBytes: number, muchBytes: number, heldBytes: number): void {
    if (garbageBytes < muchBytes) this.#hasBegun = false
    else if (garbageBytes >= 2 * muchBytes) {
      collectNow('major')
      this.#leastBytes = otherBytes(heldBytes)
      this.#otherBytes = this.#leastBytes
    } else if (!this.#hasBegun) {
      this.#hasBegun = true
      beginMarking()
    }
  }
}

/** What this thread has of arrays, counted by V8 or not, beyond what it holds. */
function otherBytes(heldBytes: number): number {
  return process.memoryUsage().arrayBuffers - heldBytes
}
