/**
 * Expressions of SQL that are NULL where nobody knows: of a record that is then looked at by us. Conditions
 * are SQL's own of three values; `if` is not, which takes NULL for no.
 */

export const unknown = 'NULL'

/** `condition` holds: one, does not: the other, is unknown: unknown. */
export function choose(condition: string, one: string, other: string): string {
  if (one === other) return one
  return `multiIf(isNull(${condition}), NULL, ${condition}, ${one}, ${other})`
}

/** Unknown where one of these is. */
export function whereKnown(needed: readonly string[], sql: string): string {
  return `if(${needed.map(one => `isNull(${one})`).join(' OR ')}, NULL, ${sql})`
}

export function allOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? '1' : `(${conditions.join(' AND ')})`
}

/** One or more. */
export function anyOf(conditions: readonly string[]): string {
  return `(${conditions.join(' OR ')})`
}
