/**
 * The token filter of a block: says of a word that it is in none of the texts, or that it may be.
 * A false "none" is impossible; 0.12 % of the words that are in no text get a false "may".
 *
 * It is a blocked Bloom filter (Putze, Sanders, Singler: "Cache-, Hash- and Space-Efficient Bloom
 * Filters", 2007). A word's hash chooses one page of 480 bits and six bits in it, so that one read
 * of 64 bytes answers. Only 32-bit arithmetic: hashes of 64 bits would need BigInt, which is slow.
 */
import type { TextColumn } from '../columns/column.ts'
import { filterPageBits, filterPageBytes } from './filter-pages.ts'
import { hashOfWord, WordHashes } from './word-hashes.ts'

/** Bits of filter per distinct word. Measured, of absent words pass: 2.3 % with 8 bits, 1.5 % with 9,
 *  1.0 % with 10, 0.45 % with 12, 0.22 % with 14, 0.12 % with 16; and each bit is 4 KiB for every 32,768
 *  distinct words. A block that passes in vain costs the reading of its ids, half a megabyte. */
const bitsPerWord = 16

/** An odd multiplier for each bit of a word; from the Parquet format. Five or seven bits are worse. */
const salts = Int32Array.of(0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b)

/** Pages beyond this number could not be distinguished by 32 bits of hash; a filter of 64 MiB. */
const pageCountMax = 2 ** 20

/**
 * A filter over all words of the texts: whole pages, without their checksums (`sealFilterPages`).
 * Empty when there is no word.
 */
export function buildTokenFilter(texts: Iterable<TextColumn>): Buffer {
  const words = new WordHashes()
  for (const column of texts) words.addTexts(column)
  const pageCount = Math.min(Math.ceil((words.size * bitsPerWord) / filterPageBits), pageCountMax)
  const filter = Buffer.alloc(pageCount * filterPageBytes)
  const hashes = words.toArray()
  for (let at = 0; at < hashes.length; at++) {
    const hash = hashes[at]!
    const page = pageOf(hash, pageCount) * filterPageBytes
    for (let i = 0; i < salts.length; i++) {
      const bit = bitOf(hash, salts[i]!)
      filter[page + (bit >> 3)]! |= 1 << (bit & 7)
    }
  }
  return filter
}

/**
 * Whether a word may occur in a block, by one page of its filter. `word`: ASCII letters and digits
 * only, as from `wordsThatMustOccur`.
 */
export function mayContainWord(
  readPage: (index: number) => Uint8Array,
  pageCount: number,
  word: string,
): boolean {
  if (pageCount === 0) return false
  const hash = hashOfWord(word)
  return hasBits(readPage(pageOf(hash, pageCount)), 0, hash)
}

/** The same of a whole filter, by the hash of the word (`hashOfWord`). */
export function mayContainHash(filter: Uint8Array, hash: number): boolean {
  const pageCount = filter.length / filterPageBytes
  return pageCount > 0 && hasBits(filter, pageOf(hash, pageCount) * filterPageBytes, hash)
}

/** Whether all bits of a word are set in the page at `at`. */
function hasBits(pages: Uint8Array, at: number, hash: number): boolean {
  for (let i = 0; i < salts.length; i++) {
    const bit = bitOf(hash, salts[i]!)
    if (((pages[at + (bit >> 3)]! >> (bit & 7)) & 1) === 0) return false
  }
  return true
}

/** Scales a hash to a page's index: its high bits decide. */
function pageOf(hash: number, pageCount: number): number {
  return Math.floor((hash * pageCount) / 0x1_0000_0000)
}

/** Scales a salted hash to a bit's index: 16 bits of it times 480 stays within 32 bits. */
function bitOf(hash: number, salt: number): number {
  return ((Math.imul(hash, salt) >>> 16) * filterPageBits) >>> 16
}
