/**
 * Kinds of messages that were not there before: those of the window of which none came in the time
 * before it. An alert for each, which ends when the window has passed it.
 */
import type { Aggregate } from '../language/ast.ts'
import { limits } from '../limits.ts'
import { labelsKey, type Series } from '../query/evaluate/vector.ts'
import { patternIdPrefix, patternLabel } from '../record.ts'
import type { Store } from '../store/store.ts'
import type { Rule } from './rule.ts'
import { countedOf } from './rule-query.ts'
import { type Moments, momentAt } from './samples.ts'

/** Of what a pattern's messages have in common, in a label. */
const textLengthMax = 300

/** The label that has it. */
const textLabel = 'pattern_text'

/**
 * A series for each pattern that is new at one of the moments, of how many messages there are of it
 * then. Throws as the store.
 */
export async function newPatternsOf(
  store: Pick<Store, 'series' | 'patterns'>,
  rule: Rule & { readonly newPattern: { readonly withinMs: number } },
  moments: Moments,
  signal: AbortSignal,
): Promise<Series[]> {
  const { windowMs, newPattern } = rule
  const counted = countedOf(rule.query)
  const by = [...counted.by.filter(label => label !== patternLabel), patternLabel]
  const countOver = async (overMs: number, earlierMs: number) => {
    const aggregate: Aggregate = { ...counted, by, offsetMs: counted.offsetMs + earlierMs }
    const stepMs = moments.count === 1 ? overMs : moments.stepMs
    const origin = moments.first - rule.delayMs - stepMs + 1
    const buckets = { origin, stepMs, pointCount: moments.count, windowMs: overMs }
    const { series } = await store.series({ aggregate, ...buckets }, signal)
    return series.filter(({ labels }) => labels[patternLabel]?.startsWith(patternIdPrefix))
  }
  const there = await countOver(windowMs, 0)
  if (there.length === 0) return []
  const before = new Map(
    (await countOver(newPattern.withinMs, windowMs)).map(one => [
      labelsKey(one.labels),
      one.points,
    ]),
  )
  const fresh = there.flatMap(({ labels, points }) => {
    const known = before.get(labelsKey(labels))
    const left = points.map((point, i) => (known?.[i] === undefined ? point : undefined))
    return left.some(point => point !== undefined) ? [{ labels, points: left }] : []
  })
  const texts = await textsOf(store, rule, counted, fresh, moments, signal)
  return fresh.map(({ labels, points }) => {
    const text = texts.get(labels[patternLabel]!) ?? ''
    return { labels: { ...labels, [textLabel]: text }, points }
  })
}

/** What the messages of each new pattern have in common, by its id. */
async function textsOf(
  store: Pick<Store, 'patterns'>,
  { windowMs, delayMs }: Rule,
  { selector, offsetMs }: Aggregate,
  fresh: readonly Series[],
  moments: Moments,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const values = [...new Set(fresh.map(({ labels }) => labels[patternLabel]!))]
  if (values.length === 0) return new Map()
  const matcher = { label: patternLabel, operator: 'in', values } as const
  const withMatcher = <T extends { readonly matchers: typeof selector.matchers }>(one: T): T => ({
    ...one,
    matchers: [...one.matchers, matcher],
  })
  const { alternatives } = selector
  const startTime = moments.first - delayMs - windowMs - offsetMs
  const endTime = momentAt(moments, moments.count - 1) - delayMs - offsetMs
  const { patterns } = await store.patterns(
    {
      selector: {
        ...withMatcher(selector),
        ...(alternatives && { alternatives: alternatives.map(withMatcher) }),
      },
      startTime,
      endTime,
      bucketMs: Math.max(endTime - startTime, 1),
      limit: limits.patternsListedMax,
    },
    signal,
  )
  return new Map(patterns.map(({ pattern, text }) => [pattern, text.slice(0, textLengthMax)]))
}
