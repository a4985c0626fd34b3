/**
 * The texts of many fields behind stages, from arrays of all that records have: an expression for each would
 * read lines once for each. Only of labels that no stage names.
 */
import { logqlName } from '../../../../language/logql-names.ts'
import { patternLabel } from '../../../../record.ts'
import { columnOf } from '../label.ts'
import { ownKeys } from './all-found.ts'
import type { Definitions } from './definitions.ts'
import type { Staged } from './staged.ts'
import { isErrorKey, isOfAllRecords } from './staged-record.ts'
import { allOf, whereKnown } from './unknown.ts'
import { foundLabels, unnamedLabels } from './unnamed-labels.ts'

export interface ListedFields {
  /** Of which fields. */
  readonly fields: readonly string[]
  /** Pairs of a field and its text, for each that a record has. */
  readonly pairs: string
  /** 1 where these are all; NULL elsewhere. */
  readonly isKnown: string
}

/** Fewer take their expressions. */
const fieldsMin = 4

/** Those of some fields that are listed; undefined where none is worth it. */
export function listedFields(
  asked: readonly string[],
  staged: Staged,
  defined: Definitions,
): ListedFields | undefined {
  const unnamed = unnamedLabels(staged, defined)
  if (unnamed === undefined || unnamed.founds.length === 0) return undefined
  const fields = asked.filter(field => {
    const isApart = columnOf(field) !== undefined || isOfAllRecords(field) || field === patternLabel
    const key = logqlName(field)
    return !isApart && !isErrorKey(key) && !unnamed.named.includes(key)
  })
  if (fields.length < fieldsMin) return undefined
  const { bound } = defined
  const ofKey = Map.groupBy(fields, logqlName)
  const wantedKeys = bound.texts([...ofKey.keys()])
  const alone = bound.texts([...ofKey.values()].filter(same => same.length === 1).flat())
  const names = defined.define('arrayMap(name -> toString(name), mapKeys(LogAttributes))')
  const keys = ownKeys(defined)
  // Under another spelling of its name a field may show what another one is.
  const isSure = (name: string) => `NOT has(${wantedKeys}, key) OR has(${alone}, ${name})`
  const areSure = [
    `arrayAll((name, key) -> ${isSure('name')}, ${names}, ${keys})`,
    ...unnamed.founds.map(found => `arrayAll(key -> ${isSure('key')}, ${found.keys})`),
  ]
  const own = defined.define(`arrayFilter((pair, key) -> has(${alone}, pair.1) AND ${unnamed.isOwn},
    arrayZip(${names}, mapValues(LogAttributes)), ${keys})`)
  const texts = new Map(unnamed.founds.map(found => [found, found.texts()]))
  const pairsOf = (found: (typeof unnamed.founds)[number]) =>
    defined.define(`arrayZip(${found.keys}, ${texts.get(found)!.texts})`)
  const found = foundLabels(unnamed, pairsOf, defined).map(
    pairs => `arrayFilter(pair -> has(${alone}, pair.1), ${pairs})`,
  )
  const known = [
    ...unnamed.founds.map(({ isKnown }) => isKnown),
    ...[...texts.values()].map(({ areTold }) => areTold),
  ]
  return {
    fields,
    pairs: defined.define(`arrayConcat(${[own, ...found].join(', ')})`),
    isKnown: defined.define(whereKnown(known, `if(${allOf(areSure)}, 1, NULL)`)),
  }
}
