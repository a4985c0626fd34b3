/** Names and values for completion, from the records of a time range, kept while the range is the same. */

import { queryFields, queryLogs, queryValues, type RecordsAsked } from '../api/records.ts'
import { compareNames } from '../natural-order.ts'
import { type TimeRange, textOf } from '../time/range.ts'
import type { CompletionContext } from './completion-context.ts'
import type { Suggest, Suggestion } from './completions.ts'

/** Every record has these; they are there before any answer. */
const everywhere: readonly Suggestion[] = [
  { text: 'log_level' },
  { text: 'service.name' },
  { text: 'environment' },
  { text: 'message' },
]

/** Records that are looked at for the labels that stages make. */
const newestMax = 100

/** Values asked for at once; when there are more, what is typed is asked for too. */
const valuesMax = 200

/**
 * @param range What the completion is about now; its times, when it was resolved.
 * @param query Which records: all, or those that are named, perhaps narrowed to an environment.
 */
export function suggestFromRecords(
  range: () => { readonly range: TimeRange; readonly startTime: number; readonly endTime: number },
  query: (records?: string) => string = records => records ?? 'logs',
): Suggest {
  let about = ''
  const kept = new Map<string, readonly Suggestion[]>()

  return async (context, signal) => {
    const { range: written, startTime, endTime } = range()
    const all = query()
    const asked = { query: query(context.records), startTime, endTime }
    const now = `${textOf(written)} ${all}`
    if (now !== about) kept.clear()
    about = now
    const remember = async (key: string, get: () => Promise<readonly Suggestion[]>) => {
      const found = kept.get(key) ?? (await get())
      kept.set(key, found)
      return found
    }
    if (context.kind === 'label' || context.kind === 'stage') {
      const found = await remember(JSON.stringify(asked.query), () =>
        context.records === undefined ? allNames(asked, signal) : namesMade(asked, signal),
      )
      return withEverywhere(found)
    }
    if (context.kind !== 'value' || context.label === '') return []
    return values(context, prefix =>
      remember(JSON.stringify([asked.query, context.label, prefix]), async () => {
        const more = { field: context.label, prefix, limit: valuesMax }
        const answer = await queryValues({ ...asked, ...more }, signal)
        return answer.values.map(({ value, count }) => ({ text: value, count }))
      }),
    )
  }
}

async function allNames(asked: RecordsAsked, signal: AbortSignal): Promise<Suggestion[]> {
  const { fields } = await queryFields(asked, signal)
  return fields.map(({ name, count }) => ({ text: name, count }))
}

/** Of the newest records: to count what stages make of all takes a run of the stages for each name. */
async function namesMade(asked: RecordsAsked, signal: AbortSignal): Promise<Suggestion[]> {
  const { logs } = await queryLogs({ ...asked, limit: newestMax, order: 'desc' }, signal)
  const names = Map.groupBy(
    logs.flatMap(({ attributes }) => Object.keys(attributes)),
    name => name,
  )
  return [...names]
    .toSorted(([a, one], [b, other]) => other.length - one.length || compareNames(a, b))
    .map(([text]) => ({ text }))
}

/** What is shown until anything was suggested. */
export function suggestedAtOnce({ kind }: CompletionContext): readonly Suggestion[] {
  return kind === 'label' || kind === 'stage' ? everywhere : []
}

async function values(
  { typed }: CompletionContext,
  get: (prefix: string) => Promise<readonly Suggestion[]>,
): Promise<readonly Suggestion[]> {
  const all = await get('')
  const areAll = all.length > 0 && all.length < valuesMax
  if (areAll || typed === '') return all
  const begun = await get(typed)
  const rest = all.filter(({ text }) => !begun.some(one => one.text === text))
  return [...begun, ...rest]
}

function withEverywhere(found: readonly Suggestion[]): readonly Suggestion[] {
  const missing = everywhere.filter(({ text }) => !found.some(one => one.text === text))
  return [...found, ...missing]
}
