/**
 * Conditions of SQL that may say less than what is asked: they hold for every record that matches, and,
 * where they are exact, for no other.
 */

export interface Truth {
  readonly sql: string
  readonly isExact: boolean
}

export const always: Truth = { sql: '1', isExact: true }
export const never: Truth = { sql: '0', isExact: true }
/** What SQL cannot say: any record may match. */
export const maybe: Truth = { sql: '1', isExact: false }

export const exactly = (sql: string): Truth => ({ sql, isExact: true })
/** Holds for more than what matches. */
export const atLeast = (sql: string): Truth => ({ sql, isExact: false })

export function all(parts: readonly Truth[]): Truth {
  const said = [...new Set(parts.map(({ sql }) => sql))].filter(sql => sql !== '1')
  const isExact = parts.every(part => part.isExact)
  if (said.length === 0) return { sql: '1', isExact }
  return { sql: said.length === 1 ? said[0]! : `(${said.join(' AND ')})`, isExact }
}

/** One or more. */
export function any(parts: readonly Truth[]): Truth {
  if (parts.some(part => part.isExact && part.sql === '1')) return always
  const isExact = parts.every(part => part.isExact)
  if (parts.some(part => part.sql === '1')) return { sql: '1', isExact }
  const said = [...new Set(parts.map(({ sql }) => sql))]
  return { sql: said.length === 1 ? said[0]! : `(${said.join(' OR ')})`, isExact }
}

export function not({ sql, isExact }: Truth): Truth {
  return isExact ? exactly(`NOT ${sql.startsWith('(') ? sql : `(${sql})`}`) : maybe
}
