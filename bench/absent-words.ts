/**
 * Words that are in no record, a new one each time: what was asked before may be remembered.
 *
 * They are made of syllables, so that their pieces look like those of words that are there; of 3.8
 * billion none is in the records but by a chance that ends the benchmark, as its answer is then wrong.
 */
import { makeRandom } from './random.ts'

const consonants = [...'bdfghklmnprstvwz']
const vowels = [...'aeiou']
const syllables = 5

/** Returns ten letters at each call; the same seed gives the same words in turn. */
export function makeAbsentWords(seed: number): () => string {
  const { pick } = makeRandom(seed)
  return () => Array.from({ length: syllables }, () => pick(consonants) + pick(vowels)).join('')
}
