/** Names and values for completion, from the records of a time range, kept while the range is the same. */

import { queryFields, queryValues } from '../api/records.ts'
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

/** Values asked for at once; when there are more, what is typed is asked for too. */
const valuesMax = 200

/**
 * @param range What the completion is about now; its times, when it was resolved.
 * @param query Which records: such as `logs`, or narrowed to an environment.
 */
export function suggestFromRecords(
  range: () => { readonly range: TimeRange; readonly startTime: number; readonly endTime: number },
  query: () => string = () => 'logs',
): Suggest {
  let about = ''
  const kept = new Map<string, readonly Suggestion[]>()

  return async (context, signal) => {
    const { range: written, startTime, endTime } = range()
    const asked = { query: query(), startTime, endTime }
    const now = `${textOf(written)} ${asked.query}`
    if (now !== about) kept.clear()
    about = now
    const remember = async (key: string, get: () => Promise<readonly Suggestion[]>) => {
      const found = kept.get(key) ?? (await get())
      kept.set(key, found)
      return found
    }
    if (context.kind === 'label') {
      const found = await remember('', async () => {
        const { fields } = await queryFields(asked, signal)
        return fields.map(({ name, count }) => ({ text: name, count }))
      })
      return withEverywhere(found)
    }
    if (context.kind !== 'value' || context.label === '') return []
    return values(context, prefix =>
      remember(JSON.stringify([context.label, prefix]), async () => {
        const more = { field: context.label, prefix, limit: valuesMax }
        const answer = await queryValues({ ...asked, ...more }, signal)
        return answer.values.map(({ value, count }) => ({ text: value, count }))
      }),
    )
  }
}

/** What is shown until anything was suggested. */
export function suggestedAtOnce({ kind }: CompletionContext): readonly Suggestion[] {
  return kind === 'label' ? everywhere : []
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
