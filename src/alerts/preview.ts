/**
 * What a rule would have done over a time that has passed, had it been there with nothing active before.
 */
import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { ProblemError } from '../problems.ts'
import { TimeSlice } from '../query/evaluate/time-slice.ts'
import { labelsKey, type Series } from '../query/evaluate/vector.ts'
import type { TimeRange } from '../record.ts'
import { type Answer, orNever, timestamp } from '../schema/answer.ts'
import type { Store } from '../store/store.ts'
import { checkAlerts } from './bounds.ts'
import { type Alert, type Change, step } from './evaluate.ts'
import { jsonNumber } from './message.ts'
import type { Rule } from './rule.ts'
import { momentAt, samplesAt, seriesOf } from './samples.ts'
import { endOf, momentsBetween } from './schedule.ts'

const labels = Type.Record(Type.String(), Type.String())
/** Null when there is none, or it is no number of JSON's. */
const value = Type.Union([Type.Number(), Type.Null()])

const firingSchema = Type.Object({
  labels,
  startedAt: timestamp,
  resolvedAt: orNever('Null while it still fires at the end.'),
  value,
})

type Firing = Static<typeof firingSchema>

/** Firings are cut at a bound; the times are those of the first and the last evaluation. */
export const previewSchema = Type.Object({
  fired: Type.Integer({ minimum: 0, description: 'How often an alert would have fired.' }),
  firings: Type.Array(firingSchema, {
    description: `In order of time, the first ${limits.alertPreviewFiringsMax}.`,
  }),
  startTime: timestamp,
  endTime: timestamp,
  everyMs: Type.Integer({ description: 'From one point to the next.' }),
  series: Type.Array(Type.Object({ labels, points: Type.Array(value) }), {
    description: `To be drawn: a point for each evaluation from \`startTime\` on, null where there is no value. Those that fire most come first, at most ${limits.alertPreviewSeriesMax}.`,
  }),
  seriesCount: Type.Integer({ description: 'How many series there are.' }),
})

export type Preview = Answer<typeof previewSchema>

/**
 * @throws ProblemError `field_invalid` when no moment lies between both times, `query_too_large` for too
 * many
 *   alerts at once, or as the store.
 */
export async function previewOf(
  store: Pick<Store, 'series' | 'patterns'>,
  rule: Rule,
  { startTime, endTime }: TimeRange,
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
  readonly firings: Firing[] = []
  /** How often each group fired, by its key. */
  readonly firedBy = new Map<string, number>()
  readonly #firing = new Map<string, Firing>()

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
