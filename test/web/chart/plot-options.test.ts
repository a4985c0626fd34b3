import t from 'tap'
import type uPlot from 'uplot'
import { plotOptions } from '../../../src/web/chart/plot-options.ts'

function axesOf(isWhole: boolean): readonly uPlot.Axis[] {
  const look = {
    kind: 'bars',
    series: [],
    zone: 'utc',
    width: 400,
    height: 96,
    syncKey: undefined,
    isWhole,
    bucketMs: () => 1,
    timeEnds: () => [0, 1] as const,
    marks: () => [],
    valueText: String,
  } as const
  return plotOptions(look, {}).axes ?? []
}

t.test(
  'the axis of counts is marked at whole numbers only, at distances that are read',
  async t => {
    const steps = axesOf(true)[1]?.incrs
    t.ok(Array.isArray(steps))
    t.same((steps as number[]).slice(0, 6), [1, 2, 5, 10, 20, 50])
    t.ok((steps as number[]).every(Number.isInteger))
    t.ok((steps as number[]).at(-1)! >= 1e14)
    t.equal(axesOf(false)[1]?.incrs, undefined, 'other values have marks between them')
  },
)

t.test('the axis of time has room for its texts, and stands clear of the lowest value', async t => {
  const [time, value] = axesOf(false) as [uPlot.Axis, uPlot.Axis]
  const sizeFor = (axis: uPlot.Axis, ...texts: string[]) =>
    (axis.size as (u: unknown, texts: string[]) => number)(undefined, texts)
  const lineHeight = 11 * (time.lineGap ?? 1.5)
  t.ok(sizeFor(time, '14:00', '14:05') >= time.gap! + lineHeight)
  t.ok(sizeFor(time, '23:00', '00:00\n21 Nov') >= time.gap! + 2 * lineHeight)
  t.ok(sizeFor(time, '14:00') < sizeFor(time, '00:00\n21 Nov'), 'no room that nothing stands in')
  // The text of the lowest value is centred on the axis of time: half of it hangs below.
  t.ok(time.gap! > 11 / 2)
  t.ok(sizeFor(value, '12,345,678') >= 10 * 6 + value.gap!, 'no text is cut off')
  t.equal(sizeFor(value, '0', '200'), sizeFor(value, '0', '1K'))
})
