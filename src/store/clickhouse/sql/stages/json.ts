/** Labels of lines of JSON. */
import { parseJsonPath } from '../../../../language/json-path.ts'
import { logqlName } from '../../../../language/logql-names.ts'
import type { Extraction } from '../../../../language/stage.ts'
import { quoted } from '../../../../match/condition.ts'
import type { Definitions } from './definitions.ts'
import { itemsMax } from './json-forms.ts'
import {
  behindPaths,
  failedUnless,
  isObjectOf,
  saidBy,
  scalarAt,
  sign,
  writtenAt,
} from './json-lines.ts'
import { cutsOf, keyForm, notTold, wordsOfLabel } from './key-forms.ts'
import { type Found, isErrorKey, type StagedRecord, withFound } from './staged-record.ts'
import { choose, unknown } from './unknown.ts'

/** `| json`: all that there is. */
export function afterJson(before: StagedRecord, defined: Definitions): StagedRecord {
  const { line, error } = before
  const isObject = isObjectOf(line, defined)
  const foundOf = (label: string): Found => {
    const words = wordsOfLabel(label)
    return words === undefined ? notTold(label, defined) : memberOf(words, line, isObject, defined)
  }
  return withFound(before, foundOf, defined, failedUnless(isObject, error, defined))
}

/** A member of the object, or of objects in it, with its key or keys. */
function memberOf(
  words: readonly string[],
  line: string,
  isObject: string,
  defined: Definitions,
): Found {
  const leaves = words.map((_, i) => keyForm(words.slice(i), sign))
  const paths = cutsOf(words).map(parts => parts.map(part => keyForm(part, sign)))
  const behind = behindPaths(paths, line, { leaves }, defined)
  const written = scalarAt(behind.rest, defined)
  // Neither an object nor an array, nor null.
  const isText = choose(behind.isThere, `${written} NOT IN ('', 'null')`, '0')
  return {
    isThere: defined.define(choose(isObject, isText, '0')),
    text: saidBy(written, defined),
  }
}

/** `| json label="path"`. */
export function afterJsonPaths(
  before: StagedRecord,
  extractions: readonly Extraction[],
  defined: Definitions,
): StagedRecord {
  const { line, error } = before
  const isObject = isObjectOf(line, defined)
  const cannotBegin = `NOT match(${line}, '\\\\A[ \\\\t\\\\n\\\\r]*["{[0-9tfn-]')`
  // Of other values than objects nobody knows; no line is no failure.
  const isJson = defined.define(`multiIf(isNull(${line}), NULL, ${line} = '', 1, ${cannotBegin}, 0,
    ${isObject} = 0, NULL, ${isObject})`)
  const isThere = defined.define(`${isJson} AND ${line} != ''`)
  const founds = new Map<string, Found>()
  for (const { label, path } of extractions) {
    const text = textAt(parseJsonPath(path)!, line, defined)
    founds.set(logqlName(label), { isThere, text })
  }
  if ([...founds.keys()].some(isErrorKey)) defined.giveUp()
  return withFound(before, key => founds.get(key), defined, failedUnless(isJson, error, defined))
}

/** What keys of JSON write in one way only, but for the numbers of their characters. */
const plainKey = /^[^"\\/\u0000-\u001f]*$/

/** What is at a path of an object, empty for nothing. */
function textAt(steps: readonly (string | number)[], line: string, defined: Definitions): string {
  const names = steps.filter(step => typeof step === 'string')
  const isTold =
    names.every(name => plainKey.test(name) && name.isWellFormed()) &&
    steps.every(step => typeof step === 'string' || step <= itemsMax)
  if (!isTold) {
    defined.giveUp()
    return unknown
  }
  const forms = steps.map(step => (typeof step === 'string' ? quoted(step) : step))
  const [leaf, ...others] = names.map(quoted).reverse()
  const leaves = leaf === undefined ? [] : [leaf]
  const { isThere, rest } = behindPaths([forms], line, { leaves, others }, defined)
  const written = writtenAt(rest, defined)
  const isNothing = `(NOT ${isThere} OR ${written} = 'null')`
  return defined.define(
    `multiIf(isNull(${isThere}), NULL, ${isNothing}, '', ${saidBy(written, defined)})`,
  )
}
