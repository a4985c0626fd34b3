/** The kinds of messages that the store counts, as Loki has them: of each level by itself. */

import type { Conditions, Selector } from '../../../../language/ast.ts'
import { limits } from '../../../../limits.ts'
import { levelLabel, type Timestamp } from '../../../../record.ts'
import type { PatternAnswer } from '../../../../store/answer/pattern-answers.ts'
import type { StoreDoor } from '../../../dependencies.ts'
import type { Points } from '../metric-results.ts'

export interface LevelPattern {
  /** As LogQL writes it: `<_>` stands for what varies. */
  readonly pattern: string
  readonly level: string
  /** Begins of steps, s since 1970, in order; and numbers of messages. */
  readonly samples: readonly (readonly [second: number, count: number])[]
}

export interface PatternsAsked {
  readonly selector: Selector
  readonly times: { readonly startTime: Timestamp; readonly endTime: Timestamp }
  readonly points: Points
}

/** The most frequent first. Exact, by a query for each level. Throws as `StoreDoor.patterns` does. */
export async function levelPatterns(
  store: Pick<StoreDoor, 'patterns'>,
  { selector, times, points }: PatternsAsked,
  stop: AbortSignal,
): Promise<LevelPattern[]> {
  const { stepMs, pointCount } = points
  const wanted = Math.floor(limits.lokiPatternSamplesMax / pointCount)
  const limit = Math.max(1, Math.min(limits.patternsListedMax, wanted))
  const ask = (asked: Selector, bucketMs: number) =>
    store.patterns({ selector: asked, ...times, bucketMs, limit }, stop)
  const all = await ask(selector, times.endTime - times.startTime + 1)
  const found: { readonly count: number; readonly pattern: LevelPattern }[] = []
  for (const level of levelsOf(all.patterns)) {
    const { patterns, firstBucket } = await ask(withLevel(selector, level), stepMs)
    for (const { text, count, buckets } of patterns) {
      const samples = samplesOf(buckets, firstBucket, stepMs)
      found.push({ count, pattern: { pattern: text.replaceAll('<*>', '<_>'), level, samples } })
    }
  }
  found.sort((a, b) => b.count - a.count)
  return found.slice(0, limit).map(({ pattern }) => pattern)
}

/** Those of the most messages. */
function levelsOf(patterns: readonly PatternAnswer[]): string[] {
  const counts = new Map<string, number>()
  for (const { levels } of patterns) {
    for (const [level, count] of Object.entries(levels)) {
      counts.set(level, (counts.get(level) ?? 0) + count)
    }
  }
  const all = [...counts].sort(([, a], [, b]) => b - a).map(([level]) => level)
  return all.slice(0, limits.lokiPatternLevelsMax)
}

function withLevel({ alternatives, ...first }: Selector, level: string): Selector {
  const ofLevel = <C extends Conditions>(one: C): C => ({
    ...one,
    matchers: [...one.matchers, { label: levelLabel, operator: '=', value: level }],
  })
  return { ...ofLevel(first), ...(alternatives && { alternatives: alternatives.map(ofLevel) }) }
}

/** Steps of less than a second that begin in the same one are one sample. */
function samplesOf(
  buckets: readonly number[],
  firstBucket: Timestamp,
  stepMs: number,
): [number, number][] {
  const samples: [number, number][] = []
  buckets.forEach((count, i) => {
    if (count === 0) return
    const second = Math.floor((firstBucket + i * stepMs) / 1000)
    const last = samples.at(-1)
    if (last?.[0] === second) last[1] += count
    else samples.push([second, count])
  })
  return samples
}
