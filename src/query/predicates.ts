/** Predicates that a scan thread keeps: what they have worked out about templates serves the next task. */
import type { Selector } from '../language/ast.ts'
import { Predicate } from './predicate.ts'

const predicatesMax = 8
const predicates = new Map<string, Predicate>()

/** Throws ProblemError `query_regex` for an expression that cannot be used. */
export function predicateOf(selector: Selector): Predicate {
  const key = JSON.stringify(selector)
  const predicate = predicates.get(key) ?? new Predicate(selector)
  predicates.delete(key)
  predicates.set(key, predicate) // The last one is the one used last.
  for (const oldest of predicates.keys()) {
    if (predicates.size <= predicatesMax) break
    predicates.delete(oldest)
  }
  return predicate
}
