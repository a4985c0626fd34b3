/** Turns what could stand at a place into a short list, best first, with what taking each one writes. */

import type { CompletionContext } from './completion-context.ts'
import { fittingWay, insertionsOf } from './insertion.ts'
import { quoted } from './strings.ts'

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

export interface Completion extends CompletionEdit {
  /** As it is listed. */
  readonly shown: string
  readonly note: string | undefined
  readonly count: number | undefined
}

/** What taking a completion makes of the query. */
export interface CompletionEdit {
  readonly kind: CompletionContext['kind']
  readonly query: string
  /** What was written, from its beginning to its end. */
  readonly from: number
  readonly to: number
  readonly caret: number
  /** So many characters behind the caret are selected, to be written over. */
  readonly selected: number
  /** What is written already, and often typed again. */
  readonly retyped: string
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
const comparisonMeanings: Readonly<Record<string, string>> = {
  ...meanings,
  '>': 'is a larger number',
  '>=': 'is at least',
  '<': 'is a smaller number',
  '<=': 'is at most',
}
const stageMeanings: Readonly<Record<string, string>> = {
  json: 'labels of a line of JSON',
  logfmt: 'labels of key=value pairs',
  pattern: 'labels between texts of the line',
  regexp: 'labels of an expression',
  unpack: 'labels that Promtail has packed',
  line_format: 'another line',
  label_format: 'other labels',
  keep: 'only these labels',
  drop: 'without these labels',
  distinct: 'the first of each value',
  decolorize: 'the line without colours',
  unwrap: 'the values of an attribute',
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
  stddev_over_time: 'standard deviation of an attribute',
  stdvar_over_time: 'variance of an attribute',
  first_over_time: 'first value by time',
  last_over_time: 'last value by time',
  rate_counter: 'growth of a counter per second',
  bytes_over_time: 'bytes of the messages',
  bytes_rate: 'bytes of the messages per second',
  absent_over_time: '1 where there is no record',
  label_replace: 'a label made of another one',
  sort: 'smallest series first',
  sort_desc: 'largest series first',
  vector: 'a number as a series',
}
const jointMeanings: Readonly<Record<string, string>> = {
  and: 'both hold',
  or: 'one of them is enough',
  not: 'it does not hold',
}
const seriesJointMeanings: Readonly<Record<string, string>> = {
  and: 'series that both sides have',
  or: 'one or the other',
  unless: 'series that the right side has not',
}

/** The completions at a place of `query`, given what was suggested so far. None makes it wrong. */
export function completionsAt(
  query: string,
  context: CompletionContext,
  suggested: readonly Suggestion[],
): readonly Completion[] {
  const { kind, from, to } = context
  const wayOf = (word: string) => fittingWay(query, context, insertionsOf(query, context, word))
  // Names and values are all written alike: the way that fits one, of two words, fits all.
  const common = kind === 'label' || kind === 'value' ? wayOf('x y') : undefined
  return listedAt(context, suggested).flatMap(({ word, isJoint, ...listed }) => {
    const own: CompletionContext = isJoint ? { ...context, kind: 'joint' } : context
    const ways = insertionsOf(query, own, word)
    const insertion = ways[isJoint ? fittingWay(query, own, ways) : (common ?? wayOf(word))]
    if (insertion === undefined) return []
    const { written, caret, selected, retyped } = insertion
    const next = query.slice(0, from) + written + query.slice(to)
    const place = { from, to: from + written.length, caret: from + caret }
    const isLabel = kind === 'stage' && !isJoint && stageMeanings[word] === undefined
    const taken = isLabel ? 'label' : own.kind
    return [{ ...listed, kind: taken, query: next, ...place, selected, retyped }]
  })
}

interface Listed extends Pick<Completion, 'shown' | 'note' | 'count'> {
  readonly word: string
  /** Whether it is a word between conditions, and not a label that is called so. */
  readonly isJoint?: true
}

function listedAt(context: CompletionContext, suggested: readonly Suggestion[]): readonly Listed[] {
  const { joints = [], typed } = context
  const listed = listedAlone(context, suggested)
  if (joints.length === 0) return listed
  const offered = fixed(jointMeanings, typed)
    .filter(({ word }) => joints.includes(word))
    .map(joint => ({ ...joint, isJoint: true as const }))
  // Somebody who has typed a condition and a letter more often means these than another label.
  return typed !== '' && joints.includes('and') ? [...offered, ...listed] : [...listed, ...offered]
}

function listedAlone(
  context: CompletionContext,
  suggested: readonly Suggestion[],
): readonly Listed[] {
  const { kind, typed, form, isCondition = false } = context
  switch (kind) {
    case 'start':
      return fixed(startMeanings, typed)
    case 'joint':
      return fixed(seriesJointMeanings, typed)
    case 'operator':
      return fixed(isCondition ? comparisonMeanings : meanings, typed)
    case 'filter': {
      const stages = Object.entries(stageMeanings).map(([name, note]) => [`| ${name}`, note])
      return fixed({ ...filterMeanings, ...Object.fromEntries(stages) }, typed)
    }
    case 'stage':
      return stagesAndLabels(context, suggested)
    case 'label':
      return labels(suggested, typed)
    case 'value':
      return matching(suggested, typed).map(({ text, count }) => {
        const note = text === '' ? 'empty or absent' : undefined
        return { word: text, shown: text === '' ? '""' : text, note, count }
      })
    case 'text': {
      const shown = `${form === 'query' ? 'logs ' : ''}${form === 'string' ? '' : '|= '}`
      const note = 'search for the text'
      return [{ word: typed, shown: shown + quoted(typed), note, count: undefined }]
    }
  }
}

/** Behind what reads labels out of lines one mostly asks about these. */
function stagesAndLabels(
  { typed, records }: CompletionContext,
  suggested: readonly Suggestion[],
): readonly Listed[] {
  const stages = fixed(stageMeanings, typed)
  const found = labels(suggested, typed).filter(({ word }) => stageMeanings[word] === undefined)
  return records === undefined ? [...stages, ...found] : [...found, ...stages]
}

function labels(suggested: readonly Suggestion[], typed: string): readonly Listed[] {
  return matching(suggested, typed).map(({ text, count }) => {
    return { word: text, shown: text, note: undefined, count }
  })
}

function fixed(choices: Readonly<Record<string, string>>, typed: string): readonly Listed[] {
  return Object.entries(choices)
    .filter(([word]) => word.startsWith(typed))
    .map(([word, note]) => ({ word, shown: word, note, count: undefined }))
}

/** Those that begin with what is typed, then those that have it inside; each by count, as they came. */
function matching(suggested: readonly Suggestion[], typed: string): readonly Suggestion[] {
  const needle = typed.toLowerCase()
  const ranked = suggested.map(one => ({ one, at: one.text.toLowerCase().indexOf(needle) }))
  const begin = ranked.filter(({ at }) => at === 0)
  const inside = ranked.filter(({ at }) => at > 0)
  return [...begin, ...inside].slice(0, shownMax).map(({ one }) => one)
}
