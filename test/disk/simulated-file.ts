/**
 * A file of the simulated disk: what readers see, what is on the device for certain, and the changes
 * between the two, of which a power cut leaves any part.
 *
 * A device writes sectors of 512 bytes. A sector that was changed several times since the last sync
 * may be written as it was after any of the changes, or not at all; sectors in any order. The size may
 * be that before, after or between the changes, also larger than the data that arrived: then the
 * sectors in between hold zeros, or what lay on the device before (ext4 with `data=writeback` and other
 * file systems show it; POSIX says nothing).
 */
import type { Random } from '../../bench/random.ts'

export const sectorBytes = 512

/** What a power cut does with what was not synced. */
export interface Cut {
  readonly random: Random
  /** How likely something not synced has reached the device: 0 to 1. */
  readonly share: number
  /** Bytes of deleted files, which may show through; whole sectors. None: zeros show. */
  readonly stale: Buffer | undefined
}

/** A write, or with zeros instead of bytes the loss of an end. */
interface Change {
  readonly offset: number
  readonly bytes: Buffer
  readonly sizeAfter: number
}

export class SimulatedFile {
  #seen: Buffer
  #kept: Buffer
  #changes: Change[] = []

  /** A file that is on the device as it is. */
  constructor(content: Buffer = Buffer.alloc(0)) {
    this.#seen = content
    this.#kept = content
  }

  /** What a reader sees. Not to be changed. */
  get seen(): Buffer {
    return this.#seen
  }

  /** What is on the device for certain. Not to be changed. */
  get kept(): Buffer {
    return this.#kept
  }

  write(bytes: Uint8Array, offset: number): void {
    const sizeAfter = Math.max(this.#seen.length, offset + bytes.length)
    this.#change({ offset, bytes: Buffer.from(bytes), sizeAfter })
  }

  truncate(size: number): void {
    const lost = Math.max(0, this.#seen.length - size)
    this.#change({ offset: size, bytes: Buffer.alloc(lost), sizeAfter: size })
  }

  datasync(): void {
    this.#kept = this.#seen
    this.#changes = []
  }

  /** What is found after a power cut. */
  afterCut({ random, share, stale }: Cut): Buffer {
    if (this.#changes.length === 0) return this.#kept
    const sizes = [this.#kept.length, ...this.#changes.map(change => change.sizeAfter)]
    const allBytes = Math.max(...sizes, ...this.#changes.map(endOf))
    const found = Buffer.alloc(Math.ceil(allBytes / sectorBytes) * sectorBytes)
    this.#kept.copy(found)
    const staleShift = stale === undefined ? 0 : random.below(stale.length / sectorBytes)
    for (let start = 0; start < found.length; start += sectorBytes) {
      const touching = this.#changes.filter(
        change => change.offset < start + sectorBytes && endOf(change) > start,
      )
      if (touching.length === 0) continue
      const isWritten = random.unit() < share
      if (isWritten) {
        const isLatest = share === 1 || random.below(2) === 0
        const count = isLatest ? touching.length : 1 + random.below(touching.length)
        for (const change of touching.slice(0, count)) applyWithin(found, start, change)
      } else if (stale !== undefined && start >= this.#kept.length) {
        const staleStart = (staleShift * sectorBytes + start) % stale.length
        stale.copy(found, start, staleStart, staleStart + sectorBytes)
      }
    }
    return found.subarray(0, sizeAfterCut(sizes, random, share))
  }

  #change(change: Change): void {
    const { offset, bytes, sizeAfter } = change
    const seen = Buffer.alloc(sizeAfter)
    this.#seen.copy(seen)
    bytes.copy(seen, offset)
    this.#seen = seen
    this.#changes.push(change)
  }
}

function endOf({ offset, bytes }: Change): number {
  return offset + bytes.length
}

/** The part of a change that lies in the sector that begins at `start`. */
function applyWithin(found: Buffer, start: number, change: Change): void {
  const from = Math.max(start, change.offset)
  const to = Math.min(start + sectorBytes, endOf(change))
  change.bytes.copy(found, from, from - change.offset, to - change.offset)
}

function sizeAfterCut(sizes: readonly number[], random: Random, share: number): number {
  const after = sizes.at(-1)!
  if (share === 1) return after
  const between = Math.min(...sizes) + random.below(Math.max(...sizes) - Math.min(...sizes) + 1)
  // The last is the likeliest to find a reader who trusts it.
  return random.pick([after, after, random.pick(sizes), toSector(between, sizes)])
}

function toSector(size: number, sizes: readonly number[]): number {
  return Math.max(Math.min(...sizes), size - (size % sectorBytes))
}
