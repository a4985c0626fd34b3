/**
 * Which keys of lines are a label under LogQL's names: an underscore may be any sign, and in JSON the border
 * between an object and its member.
 */
import type { Definitions } from './definitions.ts'
import type { Found } from './staged-record.ts'
import { unknown } from './unknown.ts'

/** Labels of plain words, whose keys are told by expressions. */
const plainLabel = /^[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*$/
/** Of more words there are too many ways to nest them. */
const wordsMax = 4
/** What is no key's own name: `log_level` is the name of a level (`language/logql-names.ts`). */
const renamed: ReadonlySet<string> = new Set(['detected_level', 'log_level'])

/** The words of a label; undefined for one whose keys cannot be told. */
export function wordsOfLabel(label: string): readonly string[] | undefined {
  if (!plainLabel.test(label) || renamed.has(label)) return undefined
  const words = label.split('_')
  return words.length <= wordsMax ? words : undefined
}

/** An expression for keys that are these words with a sign between them. `sign`: an expression for one. */
export function keyForm(words: readonly string[], sign: string): string {
  return words.join(sign)
}

/** All ways to cut words into one part or more, each of one word or more. */
export function cutsOf(words: readonly string[]): readonly (readonly string[])[][] {
  if (words.length === 0) return [[]]
  const cuts: (readonly string[])[][] = []
  for (let length = 1; length <= words.length; length++) {
    const first = words.slice(0, length)
    for (const rest of cutsOf(words.slice(length))) cuts.push([first, ...rest])
  }
  return cuts
}

/** What a label may be found as by keys that expressions do not tell: unknown, unless it was there before. */
export function notTold(label: string, defined: Definitions): Found {
  // Every record has a level, and a service.
  if (!/^(?:log_level|detected_level|service_name|environment)$/.test(label)) defined.giveUp()
  return { isThere: unknown, text: unknown }
}
