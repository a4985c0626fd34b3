import t, { type Test } from 'tap'
import type { Expression } from '../../../src/language/ast.ts'
import { parseQuery } from '../../../src/language/grammar.ts'
import { printQuery } from '../../../src/language/print.ts'
import { limits } from '../../../src/limits.ts'
import { evaluate } from '../../../src/query/evaluate/evaluate.ts'
import { labelsKey, type Series } from '../../../src/query/evaluate/vector.ts'
import { labelsOf, type Points, seriesOf } from './series-data.ts'

const { NaN: nan, POSITIVE_INFINITY: infinity } = Number

type PointsByLabels = Readonly<Record<string, Points>>

/** The value of `text` over series by their aggregate's text: a number, or points by labels. */
async function evaluated(
  text: string,
  data: Readonly<Record<string, PointsByLabels>> = {},
  pointCount = 1,
): Promise<unknown> {
  const leaf = async (aggregate: Expression) => seriesOf(data[printQuery(aggregate)]!)
  const value = await evaluate(parseQuery(text) as Expression, leaf, pointCount)
  if (value.kind === 'scalar') return value.value
  return value.series.map(({ labels, points }) => [
    Object.entries(labels)
      .map(pair => pair.join('='))
      .join(','),
    ...points,
  ])
}

/** Claims which points a text has over such series. */
function givesIn(t: Test, data: Readonly<Record<string, PointsByLabels>>, pointCount: number) {
  return async (text: string, expected: PointsByLabels) => {
    const points = Object.entries(expected).map(([labels, points]) => [labels, ...points])
    t.same(await evaluated(text, data, pointCount), points, text)
  }
}

t.test('numbers are calculated as in PromQL', async t => {
  const gives = async (text: string, expected: number) =>
    t.same(await evaluated(text), expected, `${text} is ${expected}`)

  await gives('1 + 2 * 3', 7)
  await gives('(1 + 2) * 3', 9)
  await gives('-1 ^ 2', -1)
  await gives('(-1) ^ 2', 1)
  await gives('2 ^ 3 ^ 2', 512)
  await gives('(2 ^ 3) ^ 2', 64)
  await gives('2 ^ -1', 0.5)
  await gives('10 - 2 - 3', 5)
  await gives('100 / 10 / 5', 2)
  await gives('1 / 0', infinity)
  await gives('-1 / 0', -infinity)
  await gives('0 / 0', nan)
  await gives('5 % 3', 2)
  await gives('-5 % 3', -2)
  await gives('5 % -3', 2)
  await gives('5.5 % 2', 1.5)
  await gives('5 % 0', nan)
  await gives('5 % Inf', 5)
  await gives('Inf - Inf', nan)
  await gives('0 * Inf', nan)
  await gives('1 ^ NaN', 1)
  await gives('1 ^ Inf', 1)
  await gives('(-1) ^ -Inf', 1)
  await gives('2 ^ NaN', nan)
  await gives('NaN ^ 0', 1)
  await gives('1 == bool 1', 1)
  await gives('1 != bool 1', 0)
  await gives('1 < bool 2 == bool 1', 1)
  await gives('1 >= bool 2', 0)
  await gives('NaN == bool NaN', 0)
  await gives('NaN != bool NaN', 1)
  await gives('NaN < bool 1', 0)
  await gives('1 + 1 > bool 1 * 3', 0)
})

t.test('an operator between a number and series takes every point', async t => {
  const data = { 'count by (a) (logs)': { 'a=x': [1, undefined, 3], 'a=y': [0, 5, nan] } }
  const gives = givesIn(t, data, 3)

  await gives('count by (a) (logs) * 2', { 'a=x': [2, undefined, 6], 'a=y': [0, 10, nan] })
  await gives('10 - count by (a) (logs)', { 'a=x': [9, undefined, 7], 'a=y': [10, 5, nan] })
  await gives('-count by (a) (logs) + 0', { 'a=x': [-1, undefined, -3], 'a=y': [0, -5, nan] })
  await gives('1 / count by (a) (logs)', {
    'a=x': [1, undefined, 1 / 3],
    'a=y': [infinity, 0.2, nan],
  })
  await gives('count by (a) (logs) > 1', {
    'a=x': [undefined, undefined, 3],
    'a=y': [undefined, 5, undefined],
  })
  await gives('1 < count by (a) (logs)', {
    'a=x': [undefined, undefined, 3],
    'a=y': [undefined, 5, undefined],
  })
  await gives('count by (a) (logs) > bool 1', { 'a=x': [0, undefined, 1], 'a=y': [0, 1, 0] })
  await gives('count by (a) (logs) > 4', { 'a=y': [undefined, 5, undefined] })
  await gives('count by (a) (logs) > 5', {})
})

t.test('series match where all labels are equal, and points where both have one', async t => {
  const data = {
    'count by (a, b) (logs)': { 'a=x,b=1': [1, 2], 'a=y': [3, undefined], 'a=z': [1, 1] },
    'rate by (b, a) (logs)': { 'b=1,a=x': [10, 2], 'a=y,b=': [30, 40], 'a=z,b=2': [1, 1] },
    'count(logs)': { '': [7, 7] },
    'rate(logs)': { '': [2, undefined] },
  }
  const gives = givesIn(t, data, 2)

  await gives('count by (a, b) (logs) + rate by (b, a) (logs)', {
    'a=x,b=1': [11, 4],
    'a=y': [33, undefined],
  })
  await gives('count by (a, b) (logs) == rate by (b, a) (logs)', { 'a=x,b=1': [undefined, 2] })
  await gives('count by (a, b) (logs) == bool rate by (b, a) (logs)', {
    'a=x,b=1': [0, 1],
    'a=y': [0, undefined],
  })
  await gives('rate by (b, a) (logs) >= count by (a, b) (logs)', {
    'b=1,a=x': [10, 2],
    'a=y,b=': [30, undefined],
  })
  await gives('count(logs) / rate(logs)', { '': [3.5, undefined] })
  await gives('count by (a, b) (logs) / count(logs)', {})
})

t.test('topk and bottomk rank the points of each step and group', async t => {
  const data = {
    'count by (a, b) (logs)': {
      'a=x,b=1': [1, 9],
      'a=x,b=2': [5, undefined],
      'a=y,b=1': [3, nan],
      'a=y,b=2': [3, 2],
      'b=3': [nan, undefined],
    },
  }
  const series = givesIn(t, data, 2)
  const gives = (call: string, expected: PointsByLabels) =>
    series(call.replace('_', 'count by (a, b) (logs)'), expected)

  await gives('topk(1, _)', { 'a=x,b=2': [5, undefined], 'a=x,b=1': [undefined, 9] })
  await gives('topk(2, _)', {
    'a=x,b=2': [5, undefined],
    'a=y,b=1': [3, undefined],
    'a=x,b=1': [undefined, 9],
    'a=y,b=2': [undefined, 2],
  })
  await gives('bottomk(1, _)', { 'a=x,b=1': [1, undefined], 'a=y,b=2': [undefined, 2] })
  await gives('topk by (a) (1, _)', {
    'a=x,b=2': [5, undefined],
    'a=y,b=1': [3, undefined],
    'b=3': [nan, undefined],
    'a=x,b=1': [undefined, 9],
    'a=y,b=2': [undefined, 2],
  })
  await gives('topk(1, topk(2, _) < 4)', { 'a=y,b=1': [3, undefined], 'a=y,b=2': [undefined, 2] })
})

t.test('at one step, topk answers in the order of rank', async t => {
  const data = {
    'count by (a) (logs)': { 'a=1': [2], 'a=2': [nan], 'a=3': [7], 'a=4': [2], 'a=5': [-infinity] },
  }
  const gives = async (call: string, expected: readonly (readonly [string, number])[]) =>
    t.same(await evaluated(call, data), expected, call)

  await gives('topk(9, count by (a) (logs))', [
    ['a=3', 7],
    ['a=1', 2],
    ['a=4', 2],
    ['a=5', -infinity],
    ['a=2', nan],
  ])
  await gives('bottomk(3, count by (a) (logs))', [
    ['a=5', -infinity],
    ['a=1', 2],
    ['a=4', 2],
  ])
})

t.test('each different aggregate is asked for once, one after the other', async t => {
  const asked: string[] = []
  let openCount = 0
  const text = 'count(logs{}) / (count (logs) + rate(logs)) - count(logs offset 1h) + -count(logs)'
  await evaluate(
    parseQuery(text) as Expression,
    async aggregate => {
      openCount += 1
      t.equal(openCount, 1)
      await new Promise(resolve => setImmediate(resolve))
      openCount -= 1
      asked.push(printQuery(aggregate))
      return []
    },
    1,
  )
  t.strictSame(asked, ['count(logs)', 'rate(logs)', 'count(logs offset 1h)'])
})

t.test('series without any point are not in the answer', async t => {
  const data = { 'count by (a) (logs)': { 'a=x': [undefined], 'a=y': [1] } }
  t.strictSame(await evaluated('count by (a) (logs)', data), [['a=y', 1]])
})

t.test('what an aggregate fails with is what the expression fails with', async t => {
  const failure = new Error('no')
  const evaluation = evaluate(
    parseQuery('1 + count(logs)') as Expression,
    () => Promise.reject(failure),
    1,
  )
  await t.rejects(evaluation, failure)
})

t.test('an evaluation that is aborted ends with the reason', async t => {
  const reason = new Error('gone')
  const asked: string[] = []
  const controller = new AbortController()
  const evaluation = evaluate(
    parseQuery('count(logs) + rate(logs)') as Expression,
    async ({ operation }) => {
      asked.push(operation)
      controller.abort(reason)
      return []
    },
    1,
    controller.signal,
  )
  await t.rejects(evaluation, reason)
  t.strictSame(asked, ['count'])
})

t.test('a long evaluation lets others have the thread, and ends when it is aborted', async t => {
  const reason = new Error('gone')
  const controller = new AbortController()
  const nested = `${'topk(1000, '.repeat(50)}count by (a) (logs)${')'.repeat(50)}`
  const evaluation = evaluate(
    parseQuery(nested) as Expression,
    async () => {
      setTimeout(() => controller.abort(reason), 1)
      return manySeries(1_000, 50)
    },
    50,
    controller.signal,
  )
  await t.rejects(evaluation, reason)
})

const manySeries = (count: number, pointCount: number): Series[] =>
  Array.from({ length: count }, (_, i) => ({
    labels: labelsOf({ a: String(i) }),
    points: new Array<number>(pointCount).fill(i),
  }))

t.test('too many series are refused, over all aggregates together', async t => {
  const half = limits.querySeriesMax / 2
  const sum = parseQuery('count by (a) (logs) + rate by (a) (logs)') as Expression
  await t.resolves(evaluate(sum, async () => manySeries(half, 1), 1))
  await t.rejects(
    evaluate(sum, async () => manySeries(half + 1, 1), 1),
    {
      code: 'query_too_large',
      extras: { field: 'query' },
    },
  )
})

t.test('too many points are refused, those on the way included', async t => {
  const points = limits.queryPointsMax / 5
  const seriesCount = 5
  const leaf = async () => manySeries(seriesCount, points / seriesCount)
  const negated = (count: number) =>
    parseQuery(`${'-'.repeat(count)}count by (a) (logs)`) as Expression
  await t.resolves(evaluate(negated(4), leaf, points / seriesCount))
  await t.rejects(evaluate(negated(5), leaf, points / seriesCount), { code: 'query_too_large' })
})

t.test('labels have one key for one meaning', async t => {
  const key = (labels: Readonly<Record<string, string>>) => labelsKey(labelsOf(labels))
  t.equal(key({ a: '1', b: '2' }), key({ b: '2', a: '1' }))
  t.equal(key({ a: '1', b: '' }), key({ a: '1' }))
  t.not(key({ a: '1' }), key({ a: '2' }))
  t.not(key({ a: 'b', c: 'd' }), key({ a: 'b,c:d' }))
  t.not(key({ a: '1' }), key({ ['__proto__']: '1' }))
})
