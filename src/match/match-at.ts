/**
 * The match of a sticky expression at one place of a text, or null. Sticky: it looks nowhere else, so that a
 * reader goes on from where it is without cutting the text.
 */
export function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at
  return sticky.exec(text)
}
