/** A query with other names for labels: for clients whose names are not those of our records. */

import {
  type Conditions,
  type Expression,
  type Grouping,
  type Matching,
  mapOperands,
  type Query,
  type Selector,
} from './ast.ts'

export type Rename = (label: string) => string

/**
 * `rename` is asked for every label of matchers, groupings, `unwrap` and of what is done with series, and
 * of nothing else.
 */
export function renameLabels(query: Query, rename: Rename): Query {
  return query.kind === 'selector' ? inSelector(query, rename) : inExpression(query, rename)
}

/** All labels that a query names. */
export function labelsIn(query: Query): ReadonlySet<string> {
  const labels = new Set<string>()
  renameLabels(query, label => {
    labels.add(label)
    return label
  })
  return labels
}

function inSelector(selector: Selector, rename: Rename): Selector {
  const { alternatives } = selector
  return {
    ...selector,
    ...inConditions(selector, rename),
    ...(alternatives && { alternatives: alternatives.map(one => inConditions(one, rename)) }),
  }
}

function inConditions(conditions: Conditions, rename: Rename): Conditions {
  const matchers = conditions.matchers.map(matcher => ({
    ...matcher,
    label: rename(matcher.label),
  }))
  return { ...conditions, matchers }
}

function inExpression(expression: Expression, rename: Rename): Expression {
  return mapOperands(inOne(expression, rename), operand => inExpression(operand, rename))
}

/** Operands are left as they are. */
function inOne(expression: Expression, rename: Rename): Expression {
  switch (expression.kind) {
    case 'aggregate': {
      const { by, selector, unwrap } = expression
      return {
        ...expression,
        by: renamed(by, rename),
        selector: inSelector(selector, rename),
        unwrap: unwrap === undefined ? undefined : rename(unwrap),
      }
    }
    case 'range': {
      const { grouping, selector, unwrap } = expression
      return {
        ...expression,
        selector: inSelector(selector, rename),
        grouping: grouping && inGrouping(grouping, rename),
        ...(unwrap !== undefined && { unwrap: rename(unwrap) }),
      }
    }
    case 'aggregation':
    case 'ranking':
      return { ...expression, grouping: inGrouping(expression.grouping, rename) }
    case 'label_replace': {
      const { target, source } = expression
      return { ...expression, target: rename(target), source: rename(source) }
    }
    case 'binary': {
      const { matching } = expression
      return { ...expression, ...(matching && { matching: inMatching(matching, rename) }) }
    }
    default:
      return expression
  }
}

function inMatching(matching: Matching, rename: Rename): Matching {
  const { labels, include } = matching
  return {
    ...matching,
    labels: renamed(labels, rename),
    ...(include && { include: renamed(include, rename) }),
  }
}

function inGrouping(grouping: Grouping, rename: Rename): Grouping {
  return { ...grouping, labels: renamed(grouping.labels, rename) }
}

/** None appears twice, whatever `rename` makes one of. */
function renamed(labels: readonly string[], rename: Rename): string[] {
  return [...new Set(labels.map(rename))]
}
