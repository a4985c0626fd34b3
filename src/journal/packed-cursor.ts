/**
 * Steps through a packed batch (`batch-writer.ts`) value by value, and makes no object on the way: for
 * who reads millions of batches and wants little of each. Everything else reads whole batches, with
 * msgpackr.
 *
 * Methods throw RangeError when the next value is of another kind, or goes beyond the end.
 */

export class PackedCursor {
  #bytes: Buffer
  /** Where the next value begins. */
  at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** A number of any width. */
  number(): number {
    const type = this.#byte()
    if (type < 0x80) return type
    if (type >= 0xe0) return type - 0x100
    const at = this.at
    const bytes = this.#bytes
    switch (type) {
      case 0xcb:
        this.at += 8
        return bytes.readDoubleBE(at)
      case 0xca:
        this.at += 4
        return bytes.readFloatBE(at)
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#unsigned(1 << (type - 0xcc))
      case 0xcf:
        this.at += 8
        return Number(bytes.readBigUInt64BE(at))
      case 0xd0:
      case 0xd1:
      case 0xd2: {
        const width = 1 << (type - 0xd0)
        this.at += width
        return bytes.readIntBE(at, width)
      }
      case 0xd3:
        this.at += 8
        return Number(bytes.readBigInt64BE(at))
      default:
        throw new RangeError(`no number at byte ${at - 1}`)
    }
  }

  /** Steps into a list. Returns how many values it has. */
  list(): number {
    const type = this.#byte()
    if (type >> 4 === 0x9) return type & 0xf
    if (type === 0xdc || type === 0xdd) return this.#unsigned(type === 0xdc ? 2 : 4)
    throw new RangeError(`no list at byte ${this.at - 1}`)
  }

  /** Steps over a text. Returns its length in bytes; it ends where the cursor is then. */
  text(): number {
    const type = this.#byte()
    const isShort = type >> 5 === 0x5
    if (!isShort && (type < 0xd9 || type > 0xdb))
      throw new RangeError(`no text at byte ${this.at - 1}`)
    return this.#skip(isShort ? type & 0x1f : this.#unsigned(1 << (type - 0xd9)))
  }

  /** Steps over bytes. Returns how many they are; they end where the cursor is then. */
  binary(): number {
    const type = this.#byte()
    if (type < 0xc4 || type > 0xc6) throw new RangeError(`no bytes at byte ${this.at - 1}`)
    return this.#skip(this.#unsigned(1 << (type - 0xc4)))
  }

  #byte(): number {
    if (this.at >= this.#bytes.length) throw new RangeError('a packed batch ends too early')
    return this.#bytes[this.at++]!
  }

  #unsigned(width: number): number {
    let value = 0
    for (let i = 0; i < width; i++) value = value * 256 + this.#byte()
    return value
  }

  #skip(length: number): number {
    if (this.at + length > this.#bytes.length) {
      throw new RangeError('a packed batch ends too early')
    }
    this.at += length
    return length
  }
}
