/**
 * What a query means: the tree that `grammar.ts` makes from text, `print.ts` turns back into text,
 * and everything behind the parser works on.
 */

export type MatchOperator = '=' | '!=' | '=~' | '!~'
export type FilterOperator = '|=' | '!=' | '|~' | '!~'

/** A condition on one label. A record without the label behaves as if its value were empty. */
export interface Matcher {
  readonly label: string
  readonly operator: MatchOperator
  /** The text to equal, or, under `=~` and `!~`, an RE2 expression anchored at both ends. */
  readonly value: string
}

/** A condition on the message: contains, contains not, matches, matches not (not anchored). */
export interface LineFilter {
  readonly operator: FilterOperator
  readonly text: string
}

/** Records for which all matchers and all filters hold. */
export interface Selector {
  readonly kind: 'selector'
  readonly matchers: readonly Matcher[]
  readonly filters: readonly LineFilter[]
}

export interface Aggregate {
  readonly kind: 'aggregate'
  readonly operation: 'count'
  /** The labels to group by; empty for one figure over everything. No label stands twice. */
  readonly by: readonly string[]
  readonly selector: Selector
}

export type Query = Aggregate | Selector
