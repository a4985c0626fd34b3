/**
 * Labels of lines of JSON. Whether a line is JSON, and which object a key is in, ClickHouse's parser tells;
 * the text of a value, such as that of a number, is what stands behind its key. What is not told by that is
 * unknown: keys that are there several times, values with escapes.
 */
import { parseJsonPath } from '../../../../language/json-path.ts'
import { logqlName } from '../../../../language/logql-names.ts'
import type { Extraction } from '../../../../language/stage.ts'
import type { Definitions } from './definitions.ts'
import { cutsOf, keyForm, wordsOfLabel } from './key-forms.ts'
import { type Found, isErrorKey, type StagedRecord, withFound } from './staged-record.ts'
import { anyOf, choose, unknown } from './unknown.ts'

/** As `query/stages/json.ts` has it. */
const depthMax = 128
const blank = '[ \\t\\n\\r]*'
/** A sign of a key; an escaped one is seen as it is written, and then unknown. */
const sign = '(?:[^A-Za-z0-9\\\\"]|\\\\.)'
const signButUnderscore = '(?:[^A-Za-z0-9\\\\"_]|\\\\.)'
/** Keys that may be the label of an error: it would hide what went wrong. */
const likeError = `""${blank}:|"[^A-Za-z0-9"]{1,2}error`

/** `| json`: all that there is. */
export function afterJson(before: StagedRecord, defined: Definitions): StagedRecord {
  const { line, error } = before
  const isObject = isObjectOf(line, defined)
  const failed = `multiIf(isNull(${isObject}) OR isNull(${error}), NULL, ${isObject} OR ${error} != '',
    ${error}, 'JSONParserErr')`
  const foundOf = (label: string): Found => {
    const words = wordsOfLabel(label)
    if (words === undefined) return notTold(label, defined)
    return memberOf(words, line, isObject, defined)
  }
  return withFound(before, foundOf, defined, defined.define(failed))
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
  // Of other values than objects a path finds nothing, and no line is no failure.
  const isJson = defined.define(`multiIf(isNull(${line}), NULL, ${line} = '', 0, ${cannotBegin}, 0,
    ${isObject} = 0, NULL, ${isObject})`)
  const failed = `multiIf(isNull(${isJson}) OR isNull(${error}), NULL,
    ${isJson} OR ${line} = '' OR ${error} != '', ${error}, 'JSONParserErr')`
  const founds = new Map<string, Found>()
  for (const { label, path } of extractions) {
    founds.set(logqlName(label), atPath(parseJsonPath(path)!, line, isJson, defined))
  }
  if ([...founds.keys()].some(isErrorKey)) defined.giveUp()
  return withFound(before, key => founds.get(key), defined, defined.define(failed))
}

/** Whether a line is an object; unknown where ours and ClickHouse's reading may differ. */
export function isObjectOf(line: string, defined: Definitions): string {
  const { bound } = defined
  const isOdd = [
    `position(${line}, '\\\\u') > 0`,
    `countSubstrings(ifNull(${line}, ''), '{') + countSubstrings(ifNull(${line}, ''), '[') > ${depthMax}`,
    `match(${line}, ${bound.text(likeError)})`,
  ]
  return defined.define(`multiIf(isNull(${line}), NULL,
    NOT match(${line}, ${bound.text(`\\A${blank}\\{`)}), 0,
    ${anyOf(isOdd)}, NULL, isValidJSON(assumeNotNull(${line})), 1, NULL)`)
}

/** What a label may be found as by keys that expressions do not tell: unknown, unless it was there before. */
function notTold(label: string, defined: Definitions): Found {
  // Every record has a level, and a service.
  if (!/^(?:log_level|detected_level|service_name|environment)$/.test(label)) defined.giveUp()
  return { isThere: unknown, text: unknown }
}

/** A member of the object, or of objects in it. */
function memberOf(
  words: readonly string[],
  line: string,
  isObject: string,
  defined: Definitions,
): Found {
  const { bound } = defined
  const forms = words.map((_, i) => keyForm(words.slice(i), sign))
  const key = `"(${forms.join('|')})"${blank}:`
  const count = defined.define(`countMatches(ifNull(${line}, ''), ${bound.text(key)})`)
  const written = defined.define(`extract(ifNull(${line}, ''), ${bound.text(key)})`)
  const cuts = cutsOf(words)
  const isAtPlace = cuts.map(parts => {
    const parents = parts.slice(0, -1).map(part => bound.text(part.join('_')))
    const form = bound.text(`\\A${keyForm(parts.at(-1)!, sign)}\\z`)
    const path = [`assumeNotNull(${line})`, ...parents, written].join(', ')
    return `(match(${written}, ${form}) AND JSONHas(${path}))`
  })
  const parents = cuts.flatMap(parts => parts.slice(0, -1))
  const isOdd = [
    `${count} > 1`,
    `position(${written}, '\\\\') > 0`,
    ...doubtsOf(parents, line, defined),
  ]
  const value = valueBehind(key, line, defined)
  const isThere =
    defined.define(`multiIf(isNull(${isObject}), NULL, ${isObject} = 0 OR ${count} = 0, 0,
    ${anyOf(isOdd)}, NULL, ${anyOf(isAtPlace)} AND ${value.isText})`)
  return { isThere, text: value.text }
}

/** Where an object stands under one key is not certain: it is there twice, or is written in another way. */
function doubtsOf(
  parents: readonly (readonly string[])[],
  line: string,
  { bound }: Definitions,
): readonly string[] {
  const texts = new Map(parents.map(words => [words.join('_'), words]))
  return [...texts].flatMap(([text, words]) => {
    const own = `countMatches(assumeNotNull(${line}), ${bound.text(`"${text}"${blank}:`)}) > 1`
    if (words.length === 1) return [own]
    const others = words.slice(1).map((_, i) => {
      const signs = words.map((word, at) =>
        at === 0 ? word : `${at === i + 1 ? signButUnderscore : sign}${word}`,
      )
      return signs.join('')
    })
    return [own, `match(${line}, ${bound.text(`"(?:${others.join('|')})"${blank}:`)})`]
  })
}

/** What stands behind a key that is there once. */
function valueBehind(key: string, line: string, defined: Definitions) {
  const form = defined.bound.text(
    `${key.replace('(', '(?:')}${blank}("[^"\\\\]*"?|[^ \\t\\n\\r,}\\]]*)`,
  )
  const raw = defined.define(`extract(ifNull(${line}, ''), ${form})`)
  const inner = `substring(${raw}, 2, length(${raw}) - 2)`
  const isWhole = `(length(${raw}) > 1 AND endsWith(${raw}, '"'))`
  return {
    raw,
    /** Neither an object nor an array, nor null. */
    isText: `(NOT match(${raw}, '\\\\A(?:[{[]|null\\\\z)'))`,
    text: defined.define(
      `multiIf(NOT startsWith(${raw}, '"'), ${raw}, ${isWhole}, ${inner}, NULL)`,
    ),
  }
}

/** What is at a path, empty for nothing. */
function atPath(
  steps: readonly (string | number)[],
  line: string,
  isJson: string,
  defined: Definitions,
): Found {
  const { bound } = defined
  const names = steps.filter(step => typeof step === 'string')
  if (names.length < steps.length || !names.every(name => /^[A-Za-z0-9_.$-]+$/.test(name))) {
    defined.giveUp()
    return { isThere: unknown, text: unknown }
  }
  const keyOf = (name: string) => `"(${name.replaceAll(/[.$]/g, '\\$&')})"${blank}:`
  const countOf = (name: string) => `countMatches(ifNull(${line}, ''), ${bound.text(keyOf(name))})`
  const leaf = names.at(-1)!
  const value = valueBehind(keyOf(leaf), line, defined)
  const path = [`ifNull(${line}, '')`, ...names.map(name => bound.text(name))].join(', ')
  const text = `multiIf(${countOf(leaf)} = 0, '', ${anyOf(names.map(name => `${countOf(name)} > 1`))}, NULL,
    NOT JSONHas(${path}), '', ${value.raw} = 'null', '', NOT ${value.isText}, NULL, ${value.text})`
  return { isThere: isJson, text: defined.define(choose(isJson, text, "''")) }
}
