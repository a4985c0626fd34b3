/**
 * What a query looks for in messages, to be marked where it stands. Only expressions that cannot take long
 * are taken: the service has an engine whose time is bounded, the browser has not.
 */

import { unquoted } from '../query/strings.ts'
import { type Token, tokensOf } from '../query/tokens.ts'

/** Finds every place, with the flag `g`; undefined when the query looks for no text. */
export function soughtIn(query: string): RegExp | undefined {
  const tokens = tokensOf(query).filter(({ kind }) => kind !== 'space')
  const sources = tokens.flatMap((token, index) => sourceOf(token, tokens[index - 1]) ?? [])
  if (sources.length === 0) return undefined
  const [first] = sources
  // Case is a matter of the whole expression: with several, each text is taken as it stands.
  const isOne = sources.length === 1
  try {
    const all = sources.map(({ source }) => `(?:${source})`).join('|')
    return new RegExp(all, isOne && first!.ignoresCase ? 'giu' : 'gu')
  } catch {
    return undefined // RE2 knows forms that the browser does not.
  }
}

interface Sought {
  readonly source: string
  readonly ignoresCase: boolean
}

function sourceOf({ kind, text }: Token, before: Token | undefined): Sought | undefined {
  if (kind !== 'string' || before?.kind !== 'operator') return undefined
  const value = unquoted(text)
  if (value === '') return undefined
  if (before.text === '|=') return { source: escaped(value), ignoresCase: false }
  if (before.text !== '|~') return undefined
  const ignoresCase = value.startsWith('(?i)')
  const source = ignoresCase ? value.slice(4) : value
  return isQuick(source) ? { source, ignoresCase } : undefined
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** At most two repetitions, and none of a group: its time grows with the square of the text at most. */
function isQuick(source: string): boolean {
  const plain = source.replace(/\\./gs, 'x').replace(/\[[^\]]*\]/g, 'x')
  const repetitions = plain.match(/[*+]|\{\d+,?\d*\}/g) ?? []
  return repetitions.length <= 2 && !/\)\s*[*+{]/.test(plain)
}
