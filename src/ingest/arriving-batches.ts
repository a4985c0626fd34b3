/**
 * Batches that a thread has made of a large body, of which the main thread has no more at a time than it
 * writes: the bytes of each are taken from the parcel (`threads/parcel.ts`) when they are first asked for.
 */
import { discard, type Parcel, takeOut } from '../threads/parcel.ts'
import type { EventsBatch } from './event-batch.ts'

/** A batch without its bytes. */
export type BatchHead = Omit<EventsBatch, 'payload'>

/** Of an own batch, all but its bytes. */
export function headOf({ payload, ...head }: EventsBatch): BatchHead {
  return head
}

/**
 * The batches whose bytes are in `parcel`, in the order of `heads`, and nothing else. Asking for those of one
 * takes out those before it, too; with the last one the parcel is discarded.
 */
export function arrivingBatches(heads: readonly BatchHead[], parcel: Parcel): EventsBatch[] {
  const taken: Buffer<ArrayBuffer>[] = []
  const payloadAt = (index: number) => {
    while (taken.length <= index) {
      taken.push(Buffer.from(takeOut(parcel)))
      if (taken.length === heads.length) discard(parcel)
    }
    return taken[index]!
  }
  if (heads.length === 0) discard(parcel)
  return heads.map((head, index) => ({
    ...head,
    get payload() {
      return payloadAt(index)
    },
  }))
}
