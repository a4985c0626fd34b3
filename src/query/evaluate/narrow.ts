/**
 * Aggregations over the results of ranges, done by the scan where that comes to the same: the sum of
 * how many records each stream has, by some label, is how many records have each value of that label.
 * So a scan never tells streams apart of which nobody asks, and the label may be any attribute.
 */

import {
  type Aggregation,
  type Expression,
  mapOperands,
  type RangeOperation,
} from '../../language/ast.ts'

/** Over which results an aggregation is the result of all records together. */
const narrowed: Readonly<Partial<Record<Aggregation['operation'], readonly RangeOperation[]>>> = {
  sum: ['count_over_time', 'rate', 'bytes_over_time', 'bytes_rate', 'sum_over_time'],
  min: ['min_over_time'],
  max: ['max_over_time'],
}

/** The same expression, without the parts that the scan takes over. */
export function narrow(expression: Expression): Expression {
  if (expression.kind === 'aggregation') {
    const { operation, grouping, operand } = expression
    const isNarrowed =
      operand.kind === 'range' &&
      operand.grouping === undefined &&
      narrowed[operation]?.some(one => one === operand.operation)
    if (isNarrowed) return { ...operand, grouping }
  }
  return mapOperands(expression, narrow)
}
