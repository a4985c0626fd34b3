/**
 * What a query looks for in messages, to be marked where it stands. Only expressions that cannot take long
 * are taken: the service has an engine whose time is bounded, the browser has not.
 */

import type { Conditions, LineFilter } from '../../language/ast.ts'
import { readText } from '../query/read.ts'

/** Finds every place, with the flag `g`; undefined when the query looks for no text. */
export function soughtIn(query: string): RegExp | undefined {
  const { selectors } = readText(query) ?? { selectors: [] }
  const sources = selectors.flatMap(({ selector }) => [
    ...[selector, ...(selector.alternatives ?? [])].flatMap(ofConditions),
    ...(selector.stages ?? []).flatMap(stage =>
      stage.kind === 'line' ? sourcesOf(stage.filter) : [],
    ),
  ])
  if (sources.length === 0) return undefined
  // Case is a matter of the whole expression: with several, each text is taken as it stands.
  const isAnyCase = sources.every(({ ignoresCase }) => ignoresCase)
  try {
    const all = sources.map(({ source }) => `(?:${source})`).join('|')
    return new RegExp(all, isAnyCase ? 'giu' : 'gu')
  } catch {
    return undefined // RE2 knows forms that the browser does not.
  }
}

interface Sought {
  readonly source: string
  readonly ignoresCase: boolean
}

function ofConditions({ filters, searches = [] }: Conditions): readonly Sought[] {
  const words = searches.filter(({ text, isNegated }) => !isNegated && text !== '')
  return [
    ...filters.flatMap(sourcesOf),
    ...words.map(({ text }) => ({ source: escaped(text), ignoresCase: true })),
  ]
}

function sourcesOf({ operator, text, others = [], isAddress }: LineFilter): readonly Sought[] {
  if (isAddress) return []
  const texts = [text, ...others].filter(one => one !== '')
  if (operator === '|=') {
    return texts.map(one => ({ source: escaped(one), ignoresCase: false }))
  }
  if (operator !== '|~') return []
  return texts
    .map(one => {
      const ignoresCase = one.startsWith('(?i)')
      return { source: ignoresCase ? one.slice(4) : one, ignoresCase }
    })
    .filter(({ source }) => isQuick(source))
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
