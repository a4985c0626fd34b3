import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type {
  Aggregate,
  Expression,
  NumberLiteral,
  RangeAggregate,
} from '../../../src/language/ast.ts'
import { printQuery } from '../../../src/language/print.ts'
import { ProblemError } from '../../../src/problems.ts'
import { evaluate } from '../../../src/query/evaluate/evaluate.ts'
import type { Series, Value } from '../../../src/query/evaluate/vector.ts'
import { forAllAsync } from '../../for-all.ts'
import { longRuns } from '../../long-runs.ts'
import { object } from '../plain.ts'
import { operatorsOver } from '../queries.ts'
import { Ambiguous, atSteps, evaluatePlainly, inAnyOrder } from './oracle.ts'
import { pointCount, someAggregate, someData } from './series-data.ts'

const someNumber: fc.Arbitrary<NumberLiteral> = object({
  kind: fc.constant('number' as const),
  value: fc.constantFrom(0, 1, 2, 3, 0.5, Number.NaN, Number.POSITIVE_INFINITY),
})

const labels = fc.subarray(['a', 'b', '__proto__', 'absent'], { maxLength: 2 })
const someExpression: fc.Arbitrary<Expression> = operatorsOver(
  fc.oneof({ arbitrary: someAggregate, weight: 3 }, { arbitrary: someNumber, weight: 1 }),
  {
    k: fc.integer({ min: 1, max: 3 }),
    labels,
    grouping: object({
      mode: fc.constantFrom('by' as const, 'without' as const),
      labels: fc.subarray(['a', 'b', '__proto__', 'absent'], { maxLength: 2 }),
    }),
  },
)

/** What is ambiguous at some step is refused as a whole. */
function plainlyOrAmbiguous(
  expression: Expression,
  seriesOf: (aggregate: Aggregate) => readonly Series[],
) {
  try {
    return evaluatePlainly(expression, seriesOf, pointCount)
  } catch (error) {
    if (error instanceof Ambiguous) return 'ambiguous'
    throw error
  }
}

t.test('an expression has the value that the plainest evaluation gives it', async () => {
  await forAllAsync(longRuns(1_000), someExpression, someData, async (expression, data) => {
    const seriesOf = (aggregate: Aggregate | RangeAggregate) => data.get(printQuery(aggregate))!
    const expected = plainlyOrAmbiguous(expression, seriesOf)
    const evaluated = evaluate(expression, async one => seriesOf(one), pointCount)
    if (expected === 'ambiguous') {
      await assert.rejects(evaluated, { code: 'query_ambiguous' })
      return
    }
    const value = await evaluated
    assert.deepEqual(atSteps(value, pointCount).map(inAnyOrder), expected.map(inAnyOrder))
    if (value.kind === 'vector') {
      assert.ok(value.series.every(({ points }) => points.some(point => point !== undefined)))
    }
  })
})

/** What a query is refused for counts as its answer. */
const codeOrValue = (evaluated: Promise<Value>) =>
  evaluated.catch((error: unknown) => (error instanceof ProblemError ? error.code : error))

t.test('the order in which series come changes no answer of a ranking', async () => {
  const someRanking = someExpression.filter(({ kind }) => kind === 'ranking')
  await forAllAsync(someRanking, someData, async (ranking, data) => {
    const answer = (isReversed: boolean) =>
      codeOrValue(
        evaluate(
          ranking,
          async one => {
            const series = data.get(printQuery(one))!
            return isReversed ? series.toReversed() : series
          },
          pointCount,
        ),
      )
    assert.deepEqual(await answer(true), await answer(false))
  })
})
