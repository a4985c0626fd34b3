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

t.test('the axis of time has room for two lines of text', async t => {
  const { size, gap, lineGap } = axesOf(false)[0]!
  const lineHeight = 11 * (lineGap ?? 1.5)
  t.ok(Number(size) >= gap! + 2 * lineHeight)
})
