/**
 * The kind of a message: the text that all messages of the kind have in common, with `<*>` for what varies,
 * and an id made of that text alone.
 */

import { hash } from 'node:crypto'
import { getOrRemember } from '../../get-or-insert.ts'
import { patternIdPrefix } from '../../record.ts'
import { beforeMatch } from '../../threads/turn.ts'
import { joined } from './rules.ts'
import { mark, skeletonLengthMax, skeletonOf } from './skeleton.ts'

export interface MessagePattern {
  /** `p1-` and 16 hexadecimal digits; the 1 is the version of the rules. */
  readonly id: string
  /** In the place of each thing that varies stands `<*>`. */
  readonly text: string
}

/** What stands for a variable in the text of a pattern. */
export const variableMark = '<*>'

/** Of the rules that make patterns: that of `patternIdPrefix`. */
export const rulesVersion = 1

/** Digits of the SHA-256 of the text: two of a million patterns have the same id once in 30 million. */
const digestDigits = 16

/** Of the skeletons that a thread has seen lately. At 100 bytes each they take some megabytes. */
const knownMax = 16_384
const known = new Map<string, MessagePattern>()

/**
 * The pattern of all messages with a skeleton. `text`: that skeleton, or more of it than counts, as latin1.
 * Throws TurnOver.
 */
export function patternOfSkeleton(text: string): MessagePattern {
  const seen = known.get(text)
  if (seen !== undefined) return seen
  const skeleton = skeletonOf(Buffer.from(text, 'latin1'))
  // The rules look at each character several times.
  beforeMatch(8 * skeleton.length)
  const pattern = patternOf(Buffer.from(skeleton, 'latin1').toString())
  if (known.size >= knownMax) known.clear()
  if (text.length <= skeletonLengthMax) known.set(text, pattern)
  return pattern
}

/** The pattern of a message. Throws TurnOver. */
export function patternOfMessage(message: string): MessagePattern {
  return patternOfSkeleton(skeletonOf(Buffer.from(message)))
}

function patternOf(skeleton: string): MessagePattern {
  return patternOfText(joined(skeleton).replaceAll(mark, variableMark))
}

/** By their texts, as those of skeletons. */
const byText = new Map<string, MessagePattern>()

/** The pattern with a text. */
export function patternOfText(text: string): MessagePattern {
  return getOrRemember(byText, text, knownMax, () => ({ id: idOf(text), text }))
}

function idOf(text: string): string {
  const digest = hash('sha256', text, 'hex').slice(0, digestDigits)
  return `${patternIdPrefix}${digest}`
}
