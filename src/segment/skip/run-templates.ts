/**
 * The templates of the messages of a run of blocks, each text once, and of each block which ones it has
 * and how many messages have each.
 *
 *     ┌──────────────┬──────────────┬─────────────────┬──────────────────────────────┬─────────────┐
 *     │ templates    │ of each block│ lengths         │ of each block                │ texts       │
 *     │ <u32>        │ how many     │ <u32> of each   │ numbers <u32>, counts <u32>  │ latin1      │
 *     └──────────────┴──────────────┴─────────────────┴──────────────────────────────┴─────────────┘
 *
 * A block has 2^32 - 1 in the place of how many when its messages are not made from templates.
 */
import type { TemplateCount } from '../../columns/column.ts'
import { sharedText } from '../../columns/shared-text.ts'

const untold = 0xffff_ffff

/** `blocks`: of each block its templates, in the order of their numbers there, or undefined. */
export function encodeTemplates(blocks: readonly (readonly TemplateCount[] | undefined)[]): Buffer {
  const numberOf = new Map<string, number>()
  const numbers: number[] = []
  for (const templates of blocks) {
    for (const { text } of templates ?? []) {
      if (!numberOf.has(text)) numberOf.set(text, numberOf.size)
    }
    for (const { text } of templates ?? []) numbers.push(numberOf.get(text)!)
    for (const { count } of templates ?? []) numbers.push(count)
  }
  const texts = [...numberOf.keys()]
  const header = [texts.length, ...blocks.map(templates => templates?.length ?? untold)]
  const lengths = texts.map(text => text.length)
  const integers = Uint32Array.from([...header, ...lengths, ...numbers])
  return Buffer.concat([Buffer.from(integers.buffer), Buffer.from(texts.join(''), 'latin1')])
}

/** Which of a block's messages match: all of some templates, and an unknown number of others. */
export class RunTemplates {
  /** Latin1, "0" for each variable. */
  readonly texts: readonly string[]
  readonly #bytes: number
  readonly #numbers: (Uint32Array | undefined)[] = []
  readonly #counts: (Uint32Array | undefined)[] = []

  /** `bytes`: aligned for numbers of 32 bits. Throws a RangeError for what `encodeTemplates` did not
   *  make. */
  constructor(bytes: Buffer, blockCount: number) {
    const integers = new Uint32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 4))
    let at = 0
    const take = (count: number) => {
      if (count > integers.length - at) throw new RangeError('too short for its templates')
      at += count
      return integers.subarray(at - count, at)
    }
    const [count] = take(1) as unknown as [number]
    const ofBlocks = take(blockCount)
    const lengths = take(count)
    for (const own of ofBlocks) {
      const numbers = own === untold ? undefined : take(own)
      if (numbers?.some(number => number >= count))
        throw new RangeError('there is no such template')
      this.#numbers.push(numbers)
      this.#counts.push(own === untold ? undefined : take(own))
    }
    const texts: string[] = []
    let start = 4 * at
    for (const length of lengths) {
      texts.push(sharedText(bytes.toString('latin1', start, start + length)))
      start += length
    }
    if (start !== bytes.length) throw new RangeError('another length than its templates have')
    this.texts = texts
    this.#bytes = bytes.length
  }

  get heldBytes(): number {
    return 2 * this.#bytes + 40 * this.texts.length
  }

  /** The templates of a block by their numbers among `texts`, and in the order of their numbers in the
   *  block; undefined when it has none. */
  numbers(block: number): Uint32Array | undefined {
    return this.#numbers[block]
  }

  /** How many of a block's messages have each of `numbers`. */
  counts(block: number): Uint32Array | undefined {
    return this.#counts[block]
  }
}
