/**
 * Texts that are looked for in any case of their letters, `(?i)timeout`, without an expression: as texts
 * in lower case. ASCII letters only; a few letters beyond it are theirs, too, in another case, and have to be
 * looked at.
 */

export interface InAnyCase {
  /** ASCII, in lower case, not empty. Every text that has it in any case matches. */
  readonly text: string
  /** A text that matches and does not have that has one of these. */
  readonly exceptions: readonly string[]
}

/** The long s, the sign for Kelvin, and a dotted capital I: of them case makes ASCII, or seems to. */
export const otherLetters = /[\u017f\u212a\u0130]/

const literal = /^\(\?i\)((?:[A-Za-z0-9 _\-/:=,;"'@#%&<>!~]|\\[.+*?()[\]{}^$|\\/-])+)$/

/** What an expression of RE2 looks for in any case; undefined when it is more than a text of ASCII. */
export function readInAnyCase(source: string): InAnyCase | undefined {
  const written = literal.exec(source)?.[1]
  if (written === undefined) return undefined
  const text = written.replaceAll(/\\(.)/g, '$1').toLowerCase()
  const exceptions = [
    ...(text.includes('s') ? ['\u017f'] : []),
    ...(text.includes('k') ? ['\u212a'] : []),
  ]
  return { text, exceptions }
}

/** The same of a text whose lower case is looked for in the lower case of others, as JavaScript has it. */
export function inAnyCaseOf(text: string): InAnyCase | undefined {
  const folded = text.toLowerCase()
  if (folded === '' || /[\u0080-\uffff]/.test(folded)) return undefined
  const exceptions = [
    ...(folded.includes('i') ? ['\u0130'] : []),
    ...(folded.includes('k') ? ['\u212a'] : []),
  ]
  return { text: folded, exceptions }
}
