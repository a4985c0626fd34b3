/**
 * Which fields of some records are measured: durations, sizes, prices. Their values tell more as a
 * distribution than one by one. Numbers that are names (orders, ports, times) are left out.
 */

import { readBytes, readDuration, readNumber } from '../../language/quantity.ts'
import type { AnswerRecord } from '../api/records.ts'

const shownMax = 3
/** Different values from which on a distribution tells more than a list. */
const distinctMin = 12

/** The names, those first that say what they measure. */
export function measuresIn(records: readonly Pick<AnswerRecord, 'attributes'>[]): string[] {
  const values = new Map<string, string[]>()
  for (const { attributes } of records) {
    for (const [name, value] of Object.entries(attributes)) {
      const known = values.get(name)
      if (known === undefined) values.set(name, [value])
      else known.push(value)
    }
  }
  return [...values]
    .filter(([name, texts]) => !saysName.test(name) && isMeasured(texts))
    .map(([name, texts]) => ({ name, rank: (saysMeasure.test(name) ? 1e6 : 0) + texts.length }))
    .sort((a, b) => b.rank - a.rank || (a.name < b.name ? -1 : 1))
    .slice(0, shownMax)
    .map(({ name }) => name)
}

const saysMeasure =
  /(^|[._-])(ms|us|ns|sec|secs|seconds|duration|latency|elapsed|took|time|bytes|size|length|amount|price|cost|total)$|(ms|Ms|Bytes|Size|Duration|Seconds)$/

const saysName = /(^|[._-])(id|ids|key|port|pid)$|(Id|Key|Port)$/

function isMeasured(texts: readonly string[]): boolean {
  const different = new Set(texts)
  if (different.size < distinctMin) return false
  const numbers = texts.filter(isQuantity)
  return numbers.length >= 0.75 * texts.length && !areNames(texts, different.size)
}

function isQuantity(text: string): boolean {
  return [readNumber, readDuration, readBytes].some(read => read(text) !== undefined)
}

/** Whole numbers of as many digits each, hardly any of which comes twice. */
function areNames(texts: readonly string[], distinctCount: number): boolean {
  const length = texts[0]!.length
  return (
    length >= 4 &&
    distinctCount > 0.8 * texts.length &&
    texts.every(text => /^\d+$/.test(text) && text.length === length)
  )
}
