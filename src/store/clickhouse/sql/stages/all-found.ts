/** All labels that a parser finds in a line, where no label is named: as an array of SQL. */
import { logqlName } from '../../../../language/logql-names.ts'
import type { Stage } from '../../../../language/stage.ts'
import { levelLabel, streamLabels } from '../../../../record.ts'
import { columnOf, logqlNameIn } from '../label.ts'
import type { Definitions } from './definitions.ts'
import { isObjectOf } from './json.ts'
import { isPlainOf } from './logfmt.ts'
import type { StagedRecord } from './staged-record.ts'

/** Labels and whether their texts are empty, as arrays of the same length: no label is there twice. */
export interface AllFound {
  /** LogQL's names. */
  readonly keys: string
  readonly areEmpty: string
  /** 1 where these are all; NULL where that is not known, and nothing else is then, either. */
  readonly isKnown: string
}

/** Whether a stage is a parser that finds whatever the line has. */
export function findsAny(stage: Stage): boolean {
  const isParser = stage.kind === 'json' || stage.kind === 'logfmt'
  return isParser && stage.extractions.length === 0
}

/** What such a stage finds in the line of a record. */
export function allFoundBy(stage: Stage, { line }: StagedRecord, defined: Definitions): AllFound {
  return stage.kind === 'json' ? inJson(line, defined) : inLogfmt(line, defined)
}

/** Objects within objects within … are looked into so deep. */
const levelsMax = 4

function inJson(line: string, defined: Definitions): AllFound {
  const isObject = isObjectOf(line, defined)
  const { bound } = defined
  // Pairs of a path and the JSON that is there.
  let pairs = defined.define(
    `JSONExtractKeysAndValuesRaw(if(${isObject}, ifNull(${line}, ''), ''))`,
  )
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
  return placed(texts, `pair.2 = '""'`, isKnown, defined)
}

/** A key with its value in a line that has no others (see `logfmt.ts`). */
const pairForm = '([^\\s="]+)(?:=("[^"]*"|[^\\s"]*))?'

function inLogfmt(line: string, defined: Definitions): AllFound {
  const pairs = `arrayMap(pair -> (pair[1], pair[2]),
    extractAllGroupsVertical(ifNull(${line}, ''), ${defined.bound.text(pairForm)}))`
  const written = defined.define(`arrayFilter(pair -> pair.2 NOT IN ('', '""'), ${pairs})`)
  return placed(written, '0', isPlainOf(line, defined), defined)
}

/** Pairs of a key and what stands there, under the names that they get beside what a record came with. */
function placed(pairs: string, isEmpty: string, isKnown: string, defined: Definitions): AllFound {
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
