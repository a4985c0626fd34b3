/** Predicates that a scan thread keeps: what they have worked out about templates serves the next task. */
import type { Selector } from '../language/ast.ts'
import { Predicate } from './predicate.ts'

const predicatesMax = 8
const predicates = new Map<string, Predicate>()
/** The one of the task under way, which asks for it again to make records. */
let last: { readonly selector: Selector; readonly predicate: Predicate } | undefined

/** Throws ProblemError `query_regex` for an expression that cannot be used. */
export function predicateOf(selector: Selector): Predicate {
  if (last?.selector === selector) return last.predicate
  const key = JSON.stringify(selector)
  const predicate = predicates.get(key) ?? new Predicate(selector)
  predicates.delete(key)
  predicates.set(key, predicate) // The last one is the one used last.
  for (const oldest of predicates.keys()) {
    if (predicates.size <= predicatesMax) break
    predicates.delete(oldest)
  }
  last = { selector, predicate }
  return predicate
}
