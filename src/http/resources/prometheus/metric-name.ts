/**
 * The one metric, `logs`, under the label by which Prometheus' clients may name it: `{__name__="logs"}`.
 * No record has that label, so conditions on it are carried out here.
 */

import type { Expression, Selector } from '../../../language/ast.ts'
import { conditionOfMatcher, holds } from '../../../match/condition.ts'
import { levelLabel } from '../../../record.ts'

export const metricName = 'logs'
export const nameLabel = '__name__'

/** A selector without its conditions on the name; undefined when these are not met. */
export function withoutName(selector: Selector): Selector | undefined {
  const isOfName = ({ label }: { readonly label: string }) => label === nameLabel
  const isMet = selector.matchers
    .filter(isOfName)
    .every(matcher => holds(conditionOfMatcher(matcher), metricName))
  if (!isMet) return undefined
  return { ...selector, matchers: selector.matchers.filter(matcher => !isOfName(matcher)) }
}

/** A selector without its conditions on the name, of no record when these are not met. */
export function ofMetric(selector: Selector): Selector {
  // Every record has a level.
  const never = { label: levelLabel, operator: '=', value: '' } as const
  return withoutName(selector) ?? { ...selector, matchers: [never] }
}

/** The expression with each of its selectors so. */
export function overMetric(expression: Expression): Expression {
  switch (expression.kind) {
    case 'number':
      return expression
    case 'aggregate':
    case 'range':
      return { ...expression, selector: ofMetric(expression.selector) }
    case 'aggregation':
    case 'ranking':
    case 'negation':
    case 'vector':
      return { ...expression, operand: overMetric(expression.operand) }
    case 'binary':
      return {
        ...expression,
        left: overMetric(expression.left),
        right: overMetric(expression.right),
      }
  }
}
