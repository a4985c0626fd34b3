import t from 'tap'
import { previewOf } from '../../src/alerts/preview.ts'
import { readRule } from '../../src/alerts/rule.ts'
import { limits } from '../../src/limits.ts'
import type { Store } from '../../src/store/store.ts'
import { nothingSelected } from '../http/stand-ins.ts'
import { plainStore } from './plain-store.ts'

const { signal } = new AbortController()
const everyMs = 1_000
const ruleOf = (more: object = {}) =>
  readRule({
    name: 'r',
    query: 'count by (group) (logs)',
    condition: { op: '>', threshold: 0 },
    everyMs,
    ...more,
  }).rule

/** Groups whose values at each moment `valueAt` gives. */
function storeOf(
  groups: readonly string[],
  valueAt: (group: number, moment: number) => number | undefined,
): Pick<Store, 'series' | 'patterns'> {
  return {
    patterns: plainStore([]).patterns,
    async series({ pointCount }) {
      const series = groups.map((group, g) => ({
        labels: { group },
        points: Array.from({ length: pointCount }, (_, i) => valueAt(g, i)),
      }))
      return { series, skipped: 0, stats: nothingSelected.stats }
    },
  }
}

t.test('a preview has bounds, and says how much there is', async t => {
  const { alertPreviewRunsMax, alertPreviewFiringsMax, alertPreviewSeriesMax } = limits
  const flapping = storeOf(['a'], (_, i) => (i % 2 === 0 ? 1 : 0))
  const endTime = 100_000_000_500
  const range = { startTime: 0, endTime }
  const long = await previewOf(flapping, ruleOf(), range, signal)
  t.equal(long.endTime, endTime - 500)
  t.equal(long.startTime, long.endTime - (alertPreviewRunsMax - 1) * everyMs)
  t.equal(long.series[0]?.points.length, alertPreviewRunsMax)
  t.equal(long.fired, alertPreviewRunsMax / 2)
  t.equal(long.firings.length, alertPreviewFiringsMax)

  const groups = Array.from({ length: alertPreviewSeriesMax + 5 }, (_, i) => `g${i}`)
  const some = storeOf(groups, g => (g >= 5 ? 1 : 0))
  const wide = await previewOf(some, ruleOf(), { startTime: 0, endTime: 2_000 }, signal)
  t.equal(wide.seriesCount, groups.length)
  t.equal(wide.series.length, alertPreviewSeriesMax)
  t.ok(
    wide.series.every(({ points }) => points[0] === 1),
    'those that fire come first',
  )
})

t.test('so many alerts may be at once', async t => {
  const { alertsPerRuleMax, alertsLengthMax } = limits
  const named = (count: number, length: number) =>
    Array.from({ length: count }, (_, i) => `${i}`.padEnd(length, 'x'))
  const firedOf = async (groups: string[]) => {
    const range = { startTime: 0, endTime: 0 }
    return (
      await previewOf(
        storeOf(groups, () => 1),
        ruleOf(),
        range,
        signal,
      )
    ).fired
  }
  const tooLarge = { code: 'query_too_large', message: /more than 500 alerts/ }
  t.equal(await firedOf(named(alertsPerRuleMax, 5)), alertsPerRuleMax)
  await t.rejects(firedOf(named(alertsPerRuleMax + 1, 5)), tooLarge)
  // A key has the label's name and quotes beside its value.
  const length = alertsLengthMax / 256 - '["group",""]'.length
  t.equal(await firedOf(named(256, length)), 256)
  await t.rejects(firedOf(named(256, length + 1)), tooLarge)
})

t.test('a range without a moment of evaluation is refused', async t => {
  const range = { startTime: 1, endTime: 999 }
  const refused = { code: 'field_invalid', extras: { field: 'endTime' } }
  await t.rejects(
    previewOf(
      storeOf([], () => 1),
      ruleOf(),
      range,
      signal,
    ),
    refused,
  )
})

t.test('what JSON cannot say is null', async t => {
  const odd = storeOf(['a'], (_, i) => [Number.NaN, Number.POSITIVE_INFINITY, undefined][i])
  const { series, firings } = await previewOf(
    odd,
    ruleOf(),
    { startTime: 0, endTime: 2_000 },
    signal,
  )
  t.same(series[0]?.points, [null, null, null])
  t.match(firings, [{ startedAt: 1_000, resolvedAt: 2_000, value: null }])
})
