/** A query with other names for labels: for clients whose names are not those of our records. */

import type { Expression, Grouping, Query, Selector } from './ast.ts'

export type Rename = (label: string) => string

/** `rename` is asked for every label of matchers, groupings and `unwrap`, and of nothing else. */
export function renameLabels(query: Query, rename: Rename): Query {
  return query.kind === 'selector' ? inSelector(query, rename) : inExpression(query, rename)
}

/** All labels of which a query tells. */
export function labelsIn(query: Query): ReadonlySet<string> {
  const labels = new Set<string>()
  renameLabels(query, label => {
    labels.add(label)
    return label
  })
  return labels
}

export function inSelector(selector: Selector, rename: Rename): Selector {
  const matchers = selector.matchers.map(matcher => ({ ...matcher, label: rename(matcher.label) }))
  return { ...selector, matchers }
}

function inExpression(expression: Expression, rename: Rename): Expression {
  const inside = (part: Expression) => inExpression(part, rename)
  switch (expression.kind) {
    case 'number':
      return expression
    case 'aggregate': {
      const { unwrap } = expression
      return {
        ...expression,
        by: renamed(expression.by, rename),
        selector: inSelector(expression.selector, rename),
        unwrap: unwrap === undefined ? undefined : rename(unwrap),
      }
    }
    case 'range': {
      const { unwrap } = expression
      return {
        ...expression,
        selector: inSelector(expression.selector, rename),
        grouping: expression.grouping && inGrouping(expression.grouping, rename),
        ...(unwrap !== undefined && { unwrap: rename(unwrap) }),
      }
    }
    case 'aggregation': {
      const grouping = inGrouping(expression.grouping, rename)
      return { ...expression, grouping, operand: inside(expression.operand) }
    }
    case 'ranking':
      return {
        ...expression,
        by: renamed(expression.by, rename),
        operand: inside(expression.operand),
      }
    case 'vector':
    case 'negation':
      return { ...expression, operand: inside(expression.operand) }
    case 'binary':
      return { ...expression, left: inside(expression.left), right: inside(expression.right) }
  }
}

function inGrouping(grouping: Grouping, rename: Rename): Grouping {
  return { ...grouping, labels: renamed(grouping.labels, rename) }
}

/** None stands twice, whatever `rename` makes one of. */
function renamed(labels: readonly string[], rename: Rename): string[] {
  return [...new Set(labels.map(rename))]
}
