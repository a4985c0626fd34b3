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
  /** Of the text alone: `p1-` and 16 hexadecimal digits; the 1 is the version of the rules. */
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
  return known.get(text) ?? patternOfRead(text, skeletonOf(Buffer.from(text, 'latin1')))
}

/** The pattern of all messages with a skeleton, which is nothing but that. Throws TurnOver. */
export function patternOfWholeSkeleton(skeleton: string): MessagePattern {
  return known.get(skeleton) ?? patternOfRead(skeleton, skeleton)
}

/** The pattern of a message. Throws TurnOver. */
export function patternOfMessage(message: string): MessagePattern {
  return patternOfWholeSkeleton(skeletonOf(Buffer.from(message)))
}

function patternOfRead(text: string, skeleton: string): MessagePattern {
  // The rules look at each character several times.
  beforeMatch(8 * skeleton.length)
  const pattern = patternOf(beyondAscii.test(skeleton) ? utf8Of(skeleton) : skeleton)
  if (known.size >= knownMax) known.clear()
  if (text.length <= skeletonLengthMax) known.set(text, pattern)
  return pattern
}

const beyondAscii = /[\x80-\xff]/

function utf8Of(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString()
}

function patternOf(skeleton: string): MessagePattern {
  return patternOfText(textOf(skeleton))
}

function textOf(skeleton: string): string {
  return joined(skeleton).replaceAll(mark, variableMark)
}

function idOf(text: string): string {
  return `${patternIdPrefix}${hash('sha256', text, 'hex').slice(0, digestDigits)}`
}

/** The id of the pattern of all messages with a skeleton, of which nothing is remembered. */
export function patternIdOf(skeleton: string): string {
  return idOf(textOf(beyondAscii.test(skeleton) ? utf8Of(skeleton) : skeleton))
}

/** By their texts, as those of skeletons. */
const byText = new Map<string, MessagePattern>()

/** The pattern with a text. */
export function patternOfText(text: string): MessagePattern {
  return getOrRemember(byText, text, knownMax, () => new NamedPattern(text))
}

/** A pattern whose id is made when it is asked for: of most of a million none ever is. */
class NamedPattern implements MessagePattern {
  readonly text: string
  #id: string | undefined

  constructor(text: string) {
    this.text = text
  }

  get id(): string {
    this.#id ??= idOf(this.text)
    return this.#id
  }
}
