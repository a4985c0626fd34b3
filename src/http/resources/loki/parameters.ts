/** Parameters of Loki's API other than times: what is asked for, how many, in which order. */

import { everyRecord, type Selector } from '../../../language/ast.ts'
import { parseSingle } from '../../../language/grammar.ts'
import { parseSelector } from '../../../language/tail-query.ts'
import { limits } from '../../../limits.ts'
import type { Order } from '../../../query/top-k.ts'
import { invalid, requiredParameter } from '../prometheus/parameters.ts'

/** The records that `query` is about, whatever it makes of them; all of them when it is absent or empty. */
export function readRecordsOf(parameters: URLSearchParams): Selector {
  const text = parameters.get('query')
  return text === null || text.trim() === '' ? everyRecord : parseSingle(text).selector
}

/** A selector that must be there. */
export function requiredSelector(parameters: URLSearchParams, name: string): Selector {
  return parseSelector(requiredParameter(parameters, name), {})
}

/** The selectors of `match[]`, or `match` as logcli has it: at least one. */
export function readMatches(parameters: URLSearchParams): Selector[] {
  const texts = [...parameters.getAll('match[]'), ...parameters.getAll('match')]
  const { matchSelectorsMax } = limits
  if (texts.length === 0) throw invalid('match[]', '"match[]" is missing')
  if (texts.length > matchSelectorsMax) {
    throw invalid('match[]', `"match[]" must stand at most ${matchSelectorsMax} times`)
  }
  return texts.map(text => parseSelector(text, {}))
}

/** A whole number between 1 and `maximum`; `absent` when absent or empty. */
export function readCount(
  parameters: URLSearchParams,
  name: string,
  { absent, maximum }: { readonly absent: number; readonly maximum: number },
): number {
  const text = parameters.get(name)
  if (text === null || text === '') return absent
  const count = /^\d{1,15}$/.test(text) ? Number(text) : 0
  if (count < 1 || count > maximum) {
    throw invalid(name, `"${name}" must be a whole number between 1 and ${maximum}`, text)
  }
  return count
}

/** How many entries are wanted. */
export function readEntryLimit(parameters: URLSearchParams): number {
  const { lokiEntriesMax: maximum, lokiEntriesDefault: absent } = limits
  return readCount(parameters, 'limit', { absent, maximum })
}

/** `forward`: earliest first; `backward`, or absent: latest first. */
export function readDirection(parameters: URLSearchParams): Order {
  const text = parameters.get('direction') ?? ''
  switch (text.toLowerCase()) {
    case 'forward':
      return 'asc'
    case '':
    case 'backward':
      return 'desc'
    default:
      throw invalid('direction', '"direction" must be "forward" or "backward"', text)
  }
}
