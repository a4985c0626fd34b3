/** All labels that a parser finds in a line, where no label is named: as an array of SQL. */
import { logqlName } from '../../../../language/logql-names.ts'
import type { Stage } from '../../../../language/stage.ts'
import { levelLabel, streamLabels } from '../../../../record.ts'
import { literal, spaces } from '../expression.ts'
import { columnOf, logqlNameIn } from '../label.ts'
import type { Definitions } from './definitions.ts'
import { isObjectOf } from './json-lines.ts'
import { isPlainOf } from './logfmt.ts'
import type { StagedRecord } from './staged-record.ts'

/** Labels and their texts, as arrays of the same length: no label is there twice. */
export interface AllFound {
  /** LogQL's names. */
  readonly keys: string
  readonly areEmpty: string
  /** 1 where these are all; NULL where that is not known, and nothing else is then, either. */
  readonly isKnown: string
  /** To be asked for where texts are wanted: `areTold` is 1 where all are, else NULL. */
  texts(): { readonly texts: string; readonly areTold: string }
}

/** What a parser that names no labels finds in the line of a record; undefined for other stages. */
export function allFoundBy(
  stage: Stage,
  { line }: StagedRecord,
  defined: Definitions,
): AllFound | undefined {
  if (stage.kind === 'unpack') return inPacked(line, defined)
  const isParser = stage.kind === 'json' || stage.kind === 'logfmt'
  if (!isParser || stage.extractions.length > 0) return undefined
  return stage.kind === 'json' ? inJson(line, defined) : inLogfmt(line, stage, defined)
}

/** Objects within objects within … are looked into so deep. */
const levelsMax = 4

function inJson(line: string, defined: Definitions): AllFound {
  const isObject = isObjectOf(line, defined)
  const { bound } = defined
  let pairs = membersOf(line, isObject, defined)
  for (let level = 1; level < levelsMax; level++) {
    const inner = `arrayMap(inner -> (concat(pair.1, '_', inner.1), inner.2),
      JSONExtractKeysAndValuesRaw(pair.2))`
    pairs = defined.define(`arrayFlatten(arrayMap(
      pair -> if(startsWith(pair.2, '{'), ${inner}, [(pair.1, pair.2)]), ${pairs}))`)
  }
  const isDeep = `arrayExists(pair -> startsWith(pair.2, '{') AND pair.2 != '{}', ${pairs})`
  const noText = bound.text('\\A(?:[[{]|null\\z)')
  const texts = defined.define(`arrayFilter(pair -> NOT match(pair.2, ${noText}), ${pairs})`)
  const isKnown = `multiIf(isNull(${isObject}), NULL, ${isDeep}, NULL, 1)`
  const found = placed(texts, `pair.2 = '""'`, isKnown, defined)
  return { ...found, texts: () => textsInJson(texts, line, defined) }
}

/** Pairs of a key and the JSON that is there. */
function membersOf(line: string, isObject: string, defined: Definitions): string {
  return defined.define(`JSONExtractKeysAndValuesRaw(if(${isObject}, ifNull(${line}, ''), ''))`)
}

/** Members that are strings, beside the one that is the line. */
function inPacked(line: string, defined: Definitions): AllFound {
  const isObject = isObjectOf(line, defined)
  const members = membersOf(line, isObject, defined)
  const texts = defined.define(`arrayFilter(pair -> startsWith(pair.2, '"'), ${members})`)
  const isPacked = `arrayExists(pair -> pair.1 = '_entry', ${texts})`
  const pairs = defined.define(`arrayFilter(pair -> pair.1 != '_entry' AND ${isPacked}, ${texts})`)
  const isKnown = `if(isNull(${isObject}), NULL, 1)`
  const said = `arrayMap(pair -> JSONExtractString(pair.2), ${pairs})`
  return {
    ...placed(pairs, `pair.2 = '""'`, isKnown, defined),
    texts: () => ({ texts: defined.define(said), areTold: '1' }),
  }
}

/** Strings one after the other, each with the number that it is the key of. */
const numberForm =
  '"(?:[^"\\\\]|\\\\.)*"(?:[ \\t\\n\\r]*:[ \\t\\n\\r]*(-?[0-9][^ \\t\\n\\r,}\\]]*))?'

/** Of pairs of a path and JSON, which has numbers in another form than the line. */
function textsInJson(pairs: string, line: string, defined: Definitions) {
  const tokens = `extractAllGroupsVertical(ifNull(${line}, ''), ${defined.bound.text(numberForm)})`
  const numbers = defined.define(
    `arrayFilter(text -> text != '', arrayMap(groups -> groups[1], ${tokens}))`,
  )
  const areNumbers = defined.define(`arrayMap(pair -> match(pair.2, '^[-0-9]'), ${pairs})`)
  const text = `multiIf(isNumber, ${numbers}[place], startsWith(pair.2, '"'), JSONExtractString(pair.2), pair.2)`
  return {
    texts: defined.define(`arrayMap((pair, isNumber, place) -> ${text},
      ${pairs}, ${areNumbers}, arrayCumSum(${areNumbers}))`),
    // Those in arrays are no labels: which number is whose is not told then.
    areTold: defined.define(`if(length(${numbers}) = arraySum(${areNumbers}), 1, NULL)`),
  }
}

/** What may stand in quotes: behind a backslash anything but the end of a line. */
const inQuotes = '(?:[^"\\\\]|\\\\[^\\n\\r\\x{2028}\\x{2029}])'
const unquoted = `[^${spaces}"]`
/** A part of a line, with the space behind it: a key with its value, which may have spaces, or any other. */
const partForm = literal(
  `[^${spaces}=]+(?:=(?:"${inQuotes}*"|${unquoted}*))?(?:[${spaces}]|\\z)|[^${spaces}]+`,
)
const keyForm = `[^${spaces}="]+`
/** Of parts those that are pairs; others are passed over. */
const pairForm = literal(`\\A${keyForm}(?:=(?:"${inQuotes}*"|${unquoted}*))?[${spaces}]?\\z`)
/** Of pairs those whose value is not empty. */
const fullForm = literal(`\\A${keyForm}=(?:"${inQuotes}+"|${unquoted}+)[${spaces}]?\\z`)
const keyAhead = literal(`\\A${keyForm}`)
const valueBehind = literal(`=("${inQuotes}*"|${unquoted}*)`)

function inLogfmt(
  line: string,
  { keepsEmpty, isStrict }: Omit<Extract<Stage, { kind: 'logfmt' }>, 'extractions'>,
  defined: Definitions,
): AllFound {
  const form = keepsEmpty ? pairForm : fullForm
  const parts = defined.define(`arrayFilter(part -> match(part, ${form}),
    extractAll(ifNull(${line}, ''), ${partForm}))`)
  const pairs = defined.define(`arrayMap(
    part -> (extract(part, ${keyAhead}), extract(part, ${valueBehind})), ${parts})`)
  // Where one of another form ends it is not told.
  const isKnown = isStrict ? isPlainOf(line, defined) : `if(isNull(${line}), NULL, 1)`
  const isQuoted = `startsWith(pair.2, '"')`
  const text = `if(${isQuoted}, substring(pair.2, 2, length(pair.2) - 2), pair.2)`
  // What escapes stand for is left to us.
  const areEscaped = `arrayExists(pair -> ${isQuoted} AND position(pair.2, '\\\\') > 0, ${pairs})`
  return {
    ...placed(pairs, `pair.2 IN ('', '""')`, isKnown, defined),
    texts: () => ({
      texts: defined.define(`arrayMap(pair -> ${text}, ${pairs})`),
      areTold: defined.define(`if(${areEscaped}, NULL, 1)`),
    }),
  }
}

/** Pairs of a key and what stands there, under the names that they get beside what a record came with. */
function placed(
  pairs: string,
  isEmpty: string,
  isKnown: string,
  defined: Definitions,
): Omit<AllFound, 'texts'> {
  const taken = takenKeys(defined)
  const names = defined.define(`arrayMap(pair -> ${logqlNameIn('pair.1')}, ${pairs})`)
  const keys = defined.define(
    `arrayMap(key -> if(has(${taken}, key), concat(key, '_extracted'), key), ${names})`,
  )
  // Which of two comes last is not known, and a key of no signs is no label.
  const areTold = `length(arrayDistinct(${keys})) = length(${keys}) AND NOT has(${names}, '')`
  return {
    keys,
    areEmpty: defined.define(`arrayMap(pair -> ${isEmpty}, ${pairs})`),
    isKnown: defined.define(`if(${isKnown} = 1 AND ${areTold}, 1, NULL)`),
  }
}

/** LogQL's names of what records came with, and is not empty. */
function takenKeys(defined: Definitions): string {
  const ofAll = [...Object.values(streamLabels), levelLabel]
  const names = defined.bound.texts(ofAll.map(logqlName))
  const columns = ofAll.map(name => `if(${columnOf(name)} = '', '', '${logqlName(name)}')`)
  const own = defined.define(`arrayFilter((key, text) -> text != '' AND key NOT IN ${names},
    ${ownKeys(defined)}, mapValues(LogAttributes))`)
  return defined.define(`arrayConcat(${own}, [${columns.join(', ')}])`)
}

/** Of each attribute that a record came with its name in LogQL. */
export function ownKeys(defined: Definitions): string {
  const key = logqlNameIn('toString(name)')
  return defined.define(`arrayMap(name -> ${key}, mapKeys(LogAttributes))`)
}
