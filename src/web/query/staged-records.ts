/** Which records a label of the query is of, where stages make labels: as a query that can be asked. */

import type { CaretWords } from './caret-words.ts'
import type { Token } from './tokens.ts'

interface Records {
  /** As in CompletionContext. */
  readonly records?: string
}

export function beginsSelector({ kind, text }: Token): boolean {
  return (kind === 'keyword' && text === 'logs') || (kind === 'bracket' && text === '{')
}

/** Those that come out of the stages before `end`. */
export function recordsBefore({ query, words }: CaretWords, end: number): Records {
  const before = words.filter(({ start }) => start < end)
  if (!before.some(({ isStaged }) => isStaged)) return {}
  const open = before.findLastIndex(beginsSelector)
  const isOwn = before[open]?.text === '{' && before[open - 1]?.text === 'logs'
  const begin = before[isOwn ? open - 1 : open]
  if (begin === undefined) return {}
  // In front of `unwrap` stands its pipe.
  return { records: query.slice(begin.start, end).replace(/[\s|]+$/, '') }
}

/** Those of the next selector behind the caret, which a grouping in front of it is about. */
export function recordsBehind({ query, all, caret }: CaretWords): Records {
  const behind = all.filter(({ start }) => start >= caret)
  const begin = behind.findIndex(beginsSelector)
  const rest = behind.slice(begin)
  const first = rest.findIndex(({ isStaged }) => isStaged)
  if (begin < 0 || first < 0) return {}
  const stop = rest.findIndex(
    ({ isStaged, kind }, index) => index > first && !isStaged && kind !== 'space',
  )
  const end = stop < 0 ? query.length : rest[stop]!.start
  return { records: withoutUnwrap(query.slice(rest[0]!.start, end)).trim() }
}

function withoutUnwrap(selector: string): string {
  return selector.replace(/\|\s*unwrap\b.*$/s, '')
}
