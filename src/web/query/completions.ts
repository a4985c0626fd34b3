/** Turns what could stand at a place into a short list, best first, with what taking each one writes. */

import type { CompletionContext } from './completion-context.ts'
import { labelText, quoted } from './strings.ts'
import { operations } from './tokens.ts'

/** A name or a value from the records; given by whoever has the query box. */
export interface Suggestion {
  readonly text: string
  /** How many records have it. */
  readonly count?: number
}

/** Where names and values come from. Never waited for: the list shows them when they come. */
export type Suggest = (
  context: CompletionContext,
  signal: AbortSignal,
) => Promise<readonly Suggestion[]>

export interface Completion {
  /** As it is listed. */
  readonly shown: string
  /** What replaces the typed part. */
  readonly written: string
  readonly note: string | undefined
  readonly count: number | undefined
}

const shownMax = 50

const meanings: Readonly<Record<string, string>> = {
  '=': 'equals',
  '!=': 'equals not',
  '=~': 'matches the whole of',
  '!~': 'does not match the whole of',
}
const filterMeanings: Readonly<Record<string, string>> = {
  '|=': 'message contains',
  '!=': 'message does not contain',
  '|~': 'message matches',
  '!~': 'message does not match',
}
const startMeanings: Readonly<Record<string, string>> = {
  logs: 'the records themselves',
  count: 'number of records',
  rate: 'records per second',
  sum: 'sum of an attribute',
  avg: 'mean of an attribute',
  min: 'smallest value',
  max: 'largest value',
  quantile: 'quantile of an attribute',
  count_distinct: 'number of different values',
  topk: 'the largest series',
  bottomk: 'the smallest series',
}

/** The completions at `context`, given what was suggested so far. */
export function completionsAt(
  context: CompletionContext,
  suggested: readonly Suggestion[],
): readonly Completion[] {
  switch (context.kind) {
    case 'start':
      return startCompletions(context.typed)
    case 'operator':
      return fixed(meanings, context.typed)
    case 'filter':
      return fixed(filterMeanings, context.typed)
    case 'label':
      return matching(suggested, context.typed).map(({ text, count }) => ({
        shown: text,
        written: labelText(text),
        note: undefined,
        count,
      }))
    case 'value':
      return matching(suggested, context.typed).map(({ text, count }) => ({
        shown: text === '' ? '""' : text,
        written: quoted(text),
        note: text === '' ? 'empty or absent' : undefined,
        count,
      }))
  }
}

/** Whether the list holds the very thing that is typed: then Enter is meant for the query. */
export function isComplete(
  { typed, isClosed, kind }: CompletionContext,
  list: readonly Completion[],
) {
  return (kind !== 'value' || isClosed) && list.some(({ shown }) => shown === typed)
}

function startCompletions(typed: string): readonly Completion[] {
  const found = ['logs', ...operations]
    .filter(word => word.startsWith(typed))
    .map(word => ({
      shown: word,
      written: word === 'logs' ? word : `${word}(`,
      note: startMeanings[word],
      count: undefined,
    }))
  if (found.length > 0 || typed === '') return found
  const written = `logs |= ${quoted(typed)}`
  return [{ shown: written, written, note: 'search for the text', count: undefined }]
}

function fixed(choices: Readonly<Record<string, string>>, typed: string): readonly Completion[] {
  return Object.entries(choices)
    .filter(([text]) => text.startsWith(typed))
    .map(([text, note]) => ({ shown: text, written: text, note, count: undefined }))
}

/** Those that begin with what is typed, then those that have it inside; each by count, as they came. */
function matching(suggested: readonly Suggestion[], typed: string): readonly Suggestion[] {
  const needle = typed.toLowerCase()
  const ranked = suggested.map(one => ({ one, at: one.text.toLowerCase().indexOf(needle) }))
  const begin = ranked.filter(({ at }) => at === 0)
  const inside = ranked.filter(({ at }) => at > 0)
  return [...begin, ...inside].slice(0, shownMax).map(({ one }) => one)
}
