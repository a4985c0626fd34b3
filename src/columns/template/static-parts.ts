import { slotMark } from './split.ts'

/**
 * The static parts of a template, decoded: before each of its variables, and behind the last one. A character
 * is never split: a variable is ASCII, and what is not UTF-8 around it decodes as it would in the whole text.
 */
export function staticParts(text: string): string[] {
  const parts = text.split(variable)
  // In latin1, as templates are, ASCII is what it is.
  return isAscii(text) ? parts : parts.map(part => Buffer.from(part, 'latin1').toString())
}

/** Whether a byte is a character, in UTF-8. */
export function isAscii(text: string): boolean {
  return ascii.test(text)
}

const variable = String.fromCharCode(slotMark)
const ascii = /^[\x00-\x7f]*$/
