/** Changes of a text, at the places where the grammar has found its parts. */

import { withoutComments } from '../../language/comments.ts'
import type { Place } from '../../language/places.ts'

/** A stretch of the text, and what comes in its place. */
export interface TextEdit extends Place {
  readonly written: string
}

export function insertionAt(offset: number, written: string): TextEdit {
  return { from: offset, to: offset, written }
}

/** @param edits None of which touches another. */
export function editedText(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toSorted((a, b) => b.from - a.from)
    .reduce((rest, { from, to, written }) => rest.slice(0, from) + written + rest.slice(to), text)
}

/** Where the text at a place ends, without the white space and comments behind it. */
export function writtenEnd(query: string, { to }: Place): number {
  return withoutComments(query).slice(0, to).trimEnd().length
}
