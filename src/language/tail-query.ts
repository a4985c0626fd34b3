/** Parsing for operations that give records and nothing but records. */

import { patternRefusal } from '../match/pattern.ts'
import type { Selector } from './ast.ts'
import { QueryFault } from './fault.ts'
import { parseQuery } from './grammar.ts'
import { problemOf } from './query-problem.ts'
import { readQuery } from './read-query.ts'
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
  throw problemOf(fault, text)
}

/** Of records that are followed as they arrive. Throws as `parseSelector` does, and for `distinct`. */
export function parseTail(text: string, variables: Variables): Selector {
  const selector = parseSelector(text, variables)
  const i = selector.stages?.findIndex(({ kind }) => kind === 'distinct') ?? -1
  if (i === -1) return selector
  const [found] = readQuery(text, variables, patternRefusal).selectors
  const fault = new QueryFault(
    'query_syntax',
    found!.places.stages[i]!.from,
    'distinct is of a whole range, and a tail has no end: it stands',
    {
      remedy: 'leave | distinct out, or ask for the records of a range',
      members: { expected: ['another stage'], found: 'distinct' },
    },
  )
  throw problemOf(fault, text)
}
