/** Counts by bucket number, in an array from the first bucket that occurs to the last. */

/** As they travel between threads: the count of bucket `first + i` at place i. */
export interface PlainBucketCounts {
  readonly first: number
  readonly counts: Float64Array
}

/** Places added on either side at least: many grow at once, one for each kind of what is counted. */
const roomMin = 8

/** For buckets that lie together: memory grows with the distance of the outermost ones. */
export class BucketCounts {
  #first = 0
  #counts = new Float64Array(0)
  /** The part of the array that is in use. */
  #from = 0
  #to = 0

  add(bucket: number, count: number): void {
    const at = bucket - this.#first
    if (at >= this.#from && at < this.#to) this.#counts[at]! += count
    else if (count !== 0) this.#widen(bucket, count)
  }

  addPlain({ first, counts }: PlainBucketCounts): void {
    for (let i = 0; i < counts.length; i++) this.add(first + i, counts[i]!)
  }

  toPlain(): PlainBucketCounts {
    return { first: this.#first + this.#from, counts: this.#counts.slice(this.#from, this.#to) }
  }

  #widen(bucket: number, count: number): void {
    const isEmpty = this.#from === this.#to
    const start = isEmpty ? bucket : Math.min(bucket, this.#first + this.#from)
    const end = isEmpty ? bucket + 1 : Math.max(bucket + 1, this.#first + this.#to)
    if (start < this.#first || end > this.#first + this.#counts.length) {
      // As much room again on either side: few copies, whichever way it grows.
      const room = Math.max(roomMin, end - start)
      const wider = new Float64Array(end - start + 2 * room)
      const first = start - room
      const used = this.#counts.subarray(this.#from, this.#to)
      if (!isEmpty) wider.set(used, this.#first + this.#from - first)
      this.#counts = wider
      this.#first = first
    }
    this.#from = start - this.#first
    this.#to = end - this.#first
    this.#counts[bucket - this.#first]! += count
  }
}
