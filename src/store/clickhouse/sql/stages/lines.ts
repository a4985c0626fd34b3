/** Labels that stages read out of lines by expressions and patterns. */
import { parseLinePattern } from '../../../../language/line-pattern.ts'
import { logqlName } from '../../../../language/logql-names.ts'
import { quoted } from '../../../../match/condition.ts'
import { compileCapturing } from '../../../../match/pattern.ts'
import { hasLiteralsOf, isReadAlike, writtenThere } from '../expression.ts'
import type { Definitions } from './definitions.ts'
import { known } from './filters.ts'
import { type Found, isErrorKey, type StagedRecord, withFound } from './staged-record.ts'
import { unknown, whereKnown } from './unknown.ts'

/** More groups than that are not asked for. */
const groupsMax = 64

export function afterRegexp(
  before: StagedRecord,
  source: string,
  defined: Definitions,
): StagedRecord {
  const groups = compileCapturing(source).namedGroups()
  const numbers = new Map(Object.entries(groups).map(([name, number]) => [logqlName(name), number]))
  if ([...numbers.keys()].some(isErrorKey) || numbers.size > groupsMax) defined.giveUp()
  const { line } = before
  const found = (key: string): Found | undefined => {
    const number = numbers.get(key)
    if (number === undefined) return undefined
    if (!isReadAlike(source)) {
      const mayMatch = hasLiteralsOf(line, source, defined.bound)
      return { isThere: defined.define(whereKnown([line], known(mayMatch))), text: unknown }
    }
    return captured(writtenThere(source), line, number, defined)
  }
  return withFound(before, found, defined)
}

export function afterPattern(
  before: StagedRecord,
  text: string,
  defined: Definitions,
): StagedRecord {
  const parts = parseLinePattern(text)
  if (typeof parts === 'string') throw new TypeError(`no pattern: ${text}`)
  const { line } = before
  const founds = new Map<string, Found>()
  // What stands before a capture, of which each text is found at its first place.
  let behind = '\\A'
  let isFirst = true
  for (const [i, part] of parts.entries()) {
    if (typeof part === 'string') {
      behind += isFirst ? quoted(part) : `.*?${quoted(part)}`
      isFirst = false
      continue
    }
    isFirst = false
    if (part.capture === '_') continue
    const next = parts[i + 1]
    const end = typeof next === 'string' ? `(?:${quoted(next)}|\\z)` : '\\z'
    const source = `(?s)${behind}(.*?)${end}`
    const { isThere, text } = captured(source, line, 1, defined)
    // Of no line nothing is captured.
    const isThereOf = defined.define(`(${line} != '' AND ${isThere})`)
    founds.set(logqlName(part.capture), { isThere: isThereOf, text })
  }
  if ([...founds.keys()].some(isErrorKey)) defined.giveUp()
  return withFound(before, key => founds.get(key), defined)
}

/** A group of an expression, empty where the expression matches without it. */
function captured(source: string, line: string, number: number, defined: Definitions): Found {
  const expression = defined.bound.text(source)
  const groups = defined.define(`extractGroups(ifNull(${line}, ''), ${expression})`)
  return {
    isThere: defined.define(`match(${line}, ${expression})`),
    text: defined.define(whereKnown([line], `${groups}[${number}]`)),
  }
}
