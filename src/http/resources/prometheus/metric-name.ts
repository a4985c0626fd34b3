/**
 * The one metric, `logs`, under the label by which Prometheus' clients may name it: `{__name__="logs"}`.
 * No record has that label, so conditions on it are carried out here.
 */

import {
  type Conditions,
  type Expression,
  type Matcher,
  mapOperands,
  type Selector,
} from '../../../language/ast.ts'
import { holds } from '../../../match/condition.ts'
import { conditionOf } from '../../../query/matcher-condition.ts'
import { levelLabel } from '../../../record.ts'

export const metricName = 'logs'
export const nameLabel = '__name__'

/** A selector without its conditions on the name; undefined when these are not met. */
export function withoutName(selector: Selector): Selector | undefined {
  const { alternatives = [], ...first } = selector
  const [met, ...others] = [first, ...alternatives].flatMap(one => nameless(one) ?? [])
  if (met === undefined) return undefined
  return { ...first, ...met, ...(others.length > 0 && { alternatives: others }) }
}

/** Undefined for conditions on the name that are not met. */
function nameless({ matchers, filters, searches }: Conditions): Conditions | undefined {
  const isOfName = ({ label }: Matcher) => label === nameLabel
  const isMet = matchers.filter(isOfName).every(matcher => holds(conditionOf(matcher), metricName))
  if (!isMet) return undefined
  const left = matchers.filter(matcher => !isOfName(matcher))
  return { matchers: left, filters, ...(searches && { searches }) }
}

/** A selector without its conditions on the name, of no record when these are not met. */
export function ofMetric(selector: Selector): Selector {
  // Every record has a level.
  const never = { label: levelLabel, operator: '=', value: '' } as const
  const { alternatives: _, searches: _searches, ...rest } = selector
  return withoutName(selector) ?? { ...rest, matchers: [never] }
}

/** The expression with each of its selectors so. */
export function overMetric(expression: Expression): Expression {
  switch (expression.kind) {
    case 'aggregate':
    case 'range':
      return { ...expression, selector: ofMetric(expression.selector) }
    default:
      return mapOperands(expression, overMetric)
  }
}
