/**
 * One array in a parcel: memory that goes from thread to thread and is counted for none of them until
 * somebody opens it (`parcel.ts`).
 */
import { discard, type Parcel, parcelOf, takeOut } from './parcel.ts'

/** As a parcel; one that is opened is gone. */
export interface SealedMemory extends Parcel {
  readonly bytes: number
}

/** The memory, which this thread has no more. */
export function seal(memory: ArrayBuffer): SealedMemory {
  const bytes = memory.byteLength
  return { ...parcelOf([memory]), bytes }
}

/** What was sealed; throws when it is gone. */
export function open(sealed: SealedMemory): ArrayBuffer {
  const memory = takeOut(sealed)
  discard(sealed)
  return memory
}
