/** Where in a text something stands, as a person counts. */

import type { Position } from '../problems.ts'

/**
 * The line and column of `offset` in `text`. Columns and offsets count UTF-16 code units, as
 * editors' protocols do; a line ends with LF, CR or CR LF.
 */
export function positionAt(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split(/\r\n|[\n\r]/)
  return { line: lines.length, column: lines.at(-1)!.length + 1, offset }
}

/** `line 1, column 14`, for use in a sentence. */
export function placeInWords(position: Position): string {
  return `line ${position.line}, column ${position.column}`
}
