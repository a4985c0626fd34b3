/** The query as the grammar of the service reads it: what a click changes it by, and what follows from it. */

import { QueryFault } from '../../language/fault.ts'
import { type ReadQuery, readQuery } from '../../language/read-query.ts'
import type { Variables } from '../../language/variables.ts'

/** The queries that are asked about again and again while one view is drawn. */
const keptMax = 16
const kept = new Map<string, ReadQuery | undefined>()

/**
 * Undefined when it cannot be read. What is wrong with expressions only the service knows.
 * @param variables What `$name` stands for, in dashboards.
 */
export function readText(query: string, variables: Variables = {}): ReadQuery | undefined {
  const key = JSON.stringify([query, variables])
  if (kept.has(key)) return kept.get(key)
  const found = readNow(query, variables)
  if (kept.size >= keptMax) kept.delete(kept.keys().next().value!)
  kept.set(key, found)
  return found
}

function readNow(query: string, variables: Variables): ReadQuery | undefined {
  try {
    return readQuery(query, variables, () => undefined)
  } catch (error) {
    if (error instanceof QueryFault) return undefined
    throw error
  }
}
