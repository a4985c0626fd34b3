/** Comments of a query: as in LogQL from `#`, where it is in no string, to the end of the line. */

const stringOrComment = /"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*'|`[^`]*`|#[^\n\r]*/g

/** The query with spaces in the place of its comments: all else stands where it stood. */
export function withoutComments(query: string): string {
  if (!query.includes('#')) return query
  return query.replaceAll(stringOrComment, found =>
    found.startsWith('#') ? ' '.repeat(found.length) : found,
  )
}
