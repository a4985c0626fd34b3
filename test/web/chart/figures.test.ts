import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { timeMarks } from '../../../src/web/chart/axis.ts'
import { sortLevels } from '../../../src/web/chart/colors.ts'
import { stacked } from '../../../src/web/chart/stack.ts'
import { indexAt, wholeStretch } from '../../../src/web/chart/stretch.ts'
import { summaryOf } from '../../../src/web/chart/summary.ts'

t.test('the uppermost of a stack is the sum of all', async () => {
  const series = fc.array(
    fc.array(fc.option(fc.nat(), { nil: undefined }), { minLength: 3, maxLength: 3 }),
    {
      minLength: 1,
    },
  )
  fc.assert(
    fc.property(series, values => {
      const sums = stacked(values)
      for (const index of [0, 1, 2]) {
        const expected = values.reduce((sum, one) => sum + (one[index] ?? 0), 0)
        assert.equal(sums.at(-1)?.[index], expected)
      }
    }),
  )
})

t.test('marks of time are as short as their distance allows', async t => {
  const at = (iso: string) => Date.parse(iso)
  t.same(timeMarks([at('2026-11-20T14:00Z'), at('2026-11-20T14:05Z')], 300_000, 'utc'), [
    '14:00',
    '14:05',
  ])
  t.same(timeMarks([at('2026-11-20T23:00Z'), at('2026-11-21T00:00Z')], 3_600_000, 'utc'), [
    '23:00',
    '00:00\n21 Nov',
  ])
  t.same(timeMarks([at('2026-11-20T00:00Z')], 86_400_000, 'utc'), ['20 Nov'])
  t.same(timeMarks([at('2026-11-20T14:00:05Z')], 5_000, 'utc'), ['14:00:05'])
  t.same(timeMarks([at('2026-11-20T14:00:05.250Z')], 250, 'utc'), ['14:00:05.250'])
  t.same(timeMarks([at('2026-11-20T14:00:05Z')], 250, 'utc'), ['14:00:05'], 'no zeros')
  t.same(timeMarks([at('2026-11-20T14:00:05Z'), at('2026-11-20T14:00:05.5Z')], 500, 'utc'), [
    '14:00:05.0',
    '14:00:05.5',
  ])
})

t.test('the worst level lies on the ground, an unknown one on top', async t => {
  t.same(sortLevels(['debug', 'odd', 'info', 'error', 'fatal', 'warn']), [
    ...['fatal', 'error', 'warn', 'info', 'debug', 'odd'],
  ])
  t.same(sortLevels(['level10', 'level9', 'info']), ['info', 'level9', 'level10'])
})

t.test('a chart is told in words', async t => {
  const times = [0, 60_000]
  const series = [{ name: 'error', color: '--bar-error', values: [3, 12_408] }]
  t.equal(
    summaryOf('Records', times, series, 'utc'),
    'Records, 1970-01-01 00:00 UTC to 1970-01-01 00:01 UTC. error: from 3 to 12,408 at 1970-01-01 00:01 UTC.',
  )
  t.equal(summaryOf('Records', [], [], 'utc'), 'Records: no data.')
  const empty = [{ name: 'error', color: '--bar-error', values: [undefined] }]
  t.match(summaryOf('Records', [0], empty, 'utc'), 'error: no values')
})

t.test(
  'a place on the axis is about the bar it lies in, and the nearest point of a line',
  async t => {
    const times = [1_000, 2_000, 3_000]
    const bar = (time: number) => indexAt({ kind: 'bars', times, bucketMs: 1_000 }, time)
    t.same([0, 1_000, 1_999, 2_000, 2_900, 3_999, 9_000].map(bar), [0, 0, 0, 1, 1, 2, 2])
    const point = (time: number) => indexAt({ kind: 'lines', times }, time)
    t.same([0, 1_000, 1_499, 1_501, 2_900, 9_000].map(point), [0, 0, 0, 1, 2, 2])
    t.equal(indexAt({ kind: 'bars', times: [] }, 0), undefined)
  },
)

t.test('what is dragged over are whole bars, or whole seconds', async t => {
  const times = [60_000, 120_000, 180_000]
  const over = (kind: 'bars' | 'lines', from: number, to: number) => {
    const { startTime, endTime } = wholeStretch({ kind, times, bucketMs: 60_000 }, from, to)
    return [startTime, endTime]
  }
  t.same(over('bars', 70_123, 130_456), [60_000, 180_000])
  t.same(over('bars', 60_000, 120_000), [60_000, 120_000], 'the next bar was not touched')
  t.same(over('bars', 125_000, 126_000), [120_000, 180_000], 'within one')
  t.same(over('bars', 0, 999_999), [60_000, 240_000])
  t.same(over('lines', 70_123, 130_456), [70_000, 131_000])
  t.same(over('lines', 70_123, 70_456), [70_123, 70_456], 'a short one is exact')
})
