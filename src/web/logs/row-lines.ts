/**
 * How many lines a wrapped message takes. Rows break anywhere and their type has one width, so that can be
 * computed instead of measured: a list of 100,000 rows knows its height at once.
 */

/** More are cut; the opened record shows all. */
export const linesMax = 20
export const lineHeight = 20

/** Characters that take two places. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

/** @param places Characters that fit into a line; at least 1. */
export function linesOf(text: string, places: number): number {
  let lines = 0
  for (const line of text.slice(0, places * linesMax + linesMax).split('\n')) {
    lines += Math.max(1, Math.ceil(widthOf(line) / places))
    if (lines >= linesMax) return linesMax
  }
  return lines
}

function widthOf(line: string): number {
  if (!wide.test(line)) return line.length
  let width = 0
  for (const character of line) width += wide.test(character) ? 2 : 1
  return width
}
