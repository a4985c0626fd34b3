/**
 * Characters that are typed though they stand there already: what a completion wrote ahead (the `="` behind
 * a label), and the quotes and brackets that it closed. They are taken as typed, not written twice.
 */

import { mistakeIn } from './mistake.ts'

/** What a completion wrote ahead, as long as nothing but it was typed since. */
export interface WrittenAhead {
  readonly caret: number
  /** What of it may still be typed; and what of it was. */
  readonly retyped: string
  readonly typed: string
  /** Behind a label: where its operator and its quotes stand, which go when another operator is typed. */
  readonly matcher: readonly [from: number, to: number] | undefined
}

export interface Typed {
  readonly text: string
  readonly caret: number
  /** What may still be typed again. */
  readonly ahead: WrittenAhead | undefined
}

/**
 * What typing one character makes of `text`, when it is no plain insertion; undefined when it is.
 * @param next The text with the character inserted, in front of `caret`.
 */
export function typedOver(
  text: string,
  next: string,
  caret: number,
  ahead: WrittenAhead | undefined,
): Typed | undefined {
  const at = caret - 1
  const character = next[at]
  const isInsertion = next.slice(0, at) + next.slice(caret) === text
  if (character === undefined || !isInsertion) return undefined
  const again = ahead?.caret === at ? typedAgain(text, character, ahead) : undefined
  if (again !== undefined) return again
  const isThere = /["'`)}]/.test(character) && text[at] === character
  const isDouble = isThere && mistakeIn(text) === undefined && mistakeIn(next) !== undefined
  return isDouble ? { text, caret, ahead: undefined } : undefined
}

function typedAgain(text: string, character: string, ahead: WrittenAhead): Typed | undefined {
  const { caret, retyped, typed, matcher } = ahead
  const end = retyped.indexOf(character) + 1
  if (end > 0) {
    const more = { retyped: retyped.slice(end), typed: typed + retyped.slice(0, end) }
    return { text, caret, ahead: { ...ahead, ...more } }
  }
  if (matcher === undefined || !['', '='].includes(typed)) return undefined
  if (/\s/.test(character)) return { text, caret, ahead }
  const operator = character === '~' ? '=~' : character === '!' && typed === '' ? '!' : undefined
  if (operator === undefined) return undefined
  const [from, to] = matcher
  const changed = text.slice(0, from) + operator + text.slice(to)
  return { text: changed, caret: from + operator.length, ahead: undefined }
}
