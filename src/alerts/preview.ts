/**
 * What a rule would have done over a time that has passed, had it been there with nothing active before.
 */
import { limits } from '../limits.ts'
import { ProblemError } from '../problems.ts'
import { TimeSlice } from '../query/evaluate/time-slice.ts'
import { labelsKey, type Series } from '../query/evaluate/vector.ts'
import type { Timestamp } from '../record.ts'
import type { Store } from '../store/store.ts'
import { checkAlerts } from './bounds.ts'
import { type Alert, type Change, step } from './evaluate.ts'
import { jsonNumber } from './message.ts'
import type { Rule } from './rule.ts'
import { momentAt, samplesAt, seriesOf } from './samples.ts'
import { endOf, momentsBetween } from './schedule.ts'

export interface Firing {
  readonly labels: Readonly<Record<string, string>>
  readonly startedAt: Timestamp
  /** Null while it still fires at the end. */
  readonly resolvedAt: Timestamp | null
  /** When it began to fire; null when there was none, or it is no number of JSON's. */
  readonly value: number | null
}

export interface Preview {
  /** How often an alert would have fired. */
  readonly fired: number
  /** In order of time; cut at a bound. */
  readonly firings: readonly Firing[]
  /** The first and the last moment at which the rule would have been evaluated. */
  readonly startTime: Timestamp
  readonly endTime: Timestamp
  readonly everyMs: number
  /** A point for each moment: the groups that fired most, and as many others as are drawn. */
  readonly series: readonly {
    readonly labels: Readonly<Record<string, string>>
    readonly points: readonly (number | null)[]
  }[]
  readonly seriesCount: number
}

/**
 * @throws ProblemError `field_invalid` when no moment lies between both times, `query_too_large` for too
 * many
 *   alerts at once, or as the store.
 */
export async function previewOf(
  store: Pick<Store, 'series' | 'patterns'>,
  rule: Rule,
  { startTime, endTime }: { readonly startTime: Timestamp; readonly endTime: Timestamp },
  signal: AbortSignal,
): Promise<Preview> {
  const moments = momentsBetween(rule, startTime, endTime)
  if (moments === undefined) {
    const detail = `"endTime" must be so late that the rule is evaluated, every ${rule.everyMs} ms`
    throw new ProblemError('field_invalid', detail, { field: 'endTime' })
  }
  const series = await seriesOf(store, rule, moments, signal)
  const told = new Told()
  let alerts: readonly Alert[] = []
  const slice = new TimeSlice(signal)
  for (let i = 0; i < moments.count; i++) {
    await slice.yieldWhenOver()
    const at = momentAt(moments, i)
    const next = step(rule, alerts, samplesAt(series, i), at)
    checkAlerts(next.alerts)
    for (const change of next.changes) told.take(change)
    alerts = next.alerts
  }
  return {
    fired: told.fired,
    firings: told.firings,
    startTime: moments.first,
    endTime: endOf(moments),
    everyMs: rule.everyMs,
    series: shownSeries(series, told.firedBy),
    seriesCount: series.length,
  }
}

/** What would have been told, in the order in which it was. */
class Told {
  fired = 0
  readonly firings: Writable<Firing>[] = []
  /** How often each group fired, by its key. */
  readonly firedBy = new Map<string, number>()
  readonly #firing = new Map<string, Writable<Firing>>()

  take({ kind, at, alert: { key, labels, value } }: Change): void {
    if (kind === 'resolved') {
      const firing = this.#firing.get(key)
      if (firing !== undefined) firing.resolvedAt = at
      this.#firing.delete(key)
      return
    }
    this.fired++
    this.firedBy.set(key, (this.firedBy.get(key) ?? 0) + 1)
    if (this.firings.length >= limits.alertPreviewFiringsMax) return
    const firing = { labels, startedAt: at, resolvedAt: null, value: jsonNumber(value) }
    this.firings.push(firing)
    this.#firing.set(key, firing)
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

function shownSeries(
  series: readonly Series[],
  firedBy: ReadonlyMap<string, number>,
): Preview['series'] {
  const firedCount = ({ labels }: Series) => firedBy.get(labelsKey(labels)) ?? 0
  return series
    .toSorted((a, b) => firedCount(b) - firedCount(a))
    .slice(0, limits.alertPreviewSeriesMax)
    .map(({ labels, points }) => ({ labels: { ...labels }, points: points.map(jsonNumber) }))
}
