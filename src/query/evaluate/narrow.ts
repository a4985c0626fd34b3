/**
 * Aggregations over the figures of ranges, done by the scan where that comes to the same: the sum of
 * how many records each stream has, by some label, is how many records have each value of that label.
 * So a scan never tells streams apart of which nobody asks, and the label may be any attribute.
 */

import type { Aggregation, Expression, RangeOperation } from '../../language/ast.ts'

/** Over which figures an aggregation is the figure of all records together. */
const narrowed: Readonly<Partial<Record<Aggregation['operation'], readonly RangeOperation[]>>> = {
  sum: ['count_over_time', 'rate', 'bytes_over_time', 'bytes_rate', 'sum_over_time'],
  min: ['min_over_time'],
  max: ['max_over_time'],
}

/** The same expression, with what the scan can do taken out of it. */
export function narrow(expression: Expression): Expression {
  switch (expression.kind) {
    case 'number':
    case 'aggregate':
    case 'range':
    case 'vector':
      return expression
    case 'aggregation': {
      const { operation, grouping, operand } = expression
      const isNarrowed =
        operand.kind === 'range' &&
        operand.grouping === undefined &&
        narrowed[operation]?.includes(operand.operation)
      return isNarrowed ? { ...operand, grouping } : { ...expression, operand: narrow(operand) }
    }
    case 'ranking':
    case 'negation':
      return { ...expression, operand: narrow(expression.operand) }
    case 'binary':
      return { ...expression, left: narrow(expression.left), right: narrow(expression.right) }
  }
}
