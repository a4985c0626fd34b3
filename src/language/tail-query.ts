/** Parsing for operations that give records and nothing but records. */
import type { Selector } from './ast.ts'
import { QueryFault } from './fault.ts'
import { parseQuery } from './grammar.ts'
import type { Variables } from './variables.ts'

/** Throws ProblemError as `parseQuery` does, and `query_syntax` for a query that gives numbers. */
export function parseSelector(text: string, variables: Variables): Selector {
  const query = parseQuery(text, variables)
  if (query.kind === 'selector') return query
  const offset = text.search(/\S/)
  const found = query.kind === 'number' ? 'a number' : 'an expression over numbers'
  const fault = new QueryFault('query_syntax', offset, `expected a selector but found ${found}`, {
    remedy: 'only records can be followed, as in logs{label="value"}',
    members: { expected: ['"logs"'], found: /^[\w.]+|./u.exec(text.slice(offset))?.[0] ?? '' },
  })
  throw fault.toProblem(text)
}
