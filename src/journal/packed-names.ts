/**
 * What was made of packed names, found again by their bytes: the same few names are in every batch,
 * and making texts of them again each time is most of the work of reading them.
 */

interface Known<T> {
  readonly bytes: Buffer
  readonly value: T
}

export class PackedNames<T> {
  readonly #make: (bytes: Buffer) => T
  readonly #byHash = new Map<number, Known<T>[]>()

  /** `make`: called once for all that have the same bytes, with a copy of them. */
  constructor(make: (bytes: Buffer) => T) {
    this.#make = make
  }

  /** What was made of the bytes from `start` to `end`. */
  find(bytes: Buffer, start: number, end: number): T {
    const hash = hashOf(bytes, start, end)
    const alike = this.#byHash.get(hash)
    if (alike !== undefined) {
      for (const known of alike) if (isSame(known.bytes, bytes, start, end)) return known.value
    }
    const copy = Buffer.from(bytes.subarray(start, end))
    const value = this.#make(copy)
    const known = { bytes: copy, value }
    if (alike === undefined) this.#byHash.set(hash, [known])
    else alike.push(known)
    return value
  }
}

/** FNV-1a, to a signed 32-bit integer: those cost a Map no memory. */
function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = 0x811c9dc5 | 0
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193)
  return hash
}

function isSame(known: Buffer, bytes: Buffer, start: number, end: number): boolean {
  if (known.length !== end - start) return false
  for (let i = 0; i < known.length; i++) if (known[i] !== bytes[start + i]) return false
  return true
}
