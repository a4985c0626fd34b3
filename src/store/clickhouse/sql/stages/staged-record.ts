/** A record on its way through stages, as expressions: what `query/stages/row.ts` is for one record. */
import { logqlName, ownName } from '../../../../language/logql-names.ts'
import { errorDetailsLabel, errorLabel } from '../../../../query/stages/row.ts'
import { levelLabel, streamLabels } from '../../../../record.ts'
import { alikeText, attributeText, columnOf, hasAttribute } from '../label.ts'
import type { Definitions } from './definitions.ts'
import { allOf, anyOf, choose, unknown, whereKnown } from './unknown.ts'

/** Texts and conditions are NULL where they are unknown. */
export interface StagedRecord {
  readonly line: string
  /** What went wrong first; empty where nothing did. */
  readonly error: string
  /** What is said of that. */
  readonly details: Found
  /** Whether it has come through all stages so far. */
  readonly passes: string
  /** The text of a label, under any of its names; empty where it has none. */
  label(name: string): string
  /** The same as it is counted and grouped by: an attribute of that very name is itself, empty or not. */
  shown(name: string): string
  /** Whether what it came with under LogQL's name is still there, and no stage has made such a label. */
  hasOwn(key: string): string
}

/** What a parser has found under a name. */
export interface Found {
  readonly isThere: string
  readonly text: string
}

const ofAllRecords: ReadonlySet<string> = new Set([...Object.values(streamLabels), levelLabel])

/** Whether all records have it, under whichever of its names: attributes of these names are hidden. */
export function isOfAllRecords(name: string): boolean {
  return ofAllRecords.has(ownName(name))
}

/** What it came with, under LogQL's name: the first that is not empty. */
function ownText(key: string, defined: Definitions): string {
  const name = ownName(key)
  if (ofAllRecords.has(name)) return defined.define(`toString(${columnOf(name)})`)
  const own = attributeText(key, defined.bound)
  const alike = alikeText(key, defined.bound)
  return defined.define(alike === undefined ? own : `if(${own} != '', ${own}, ${alike})`)
}

/** The same under any name: its own spelling comes first. */
function ownTextUnder(name: string, defined: Definitions): string {
  const key = logqlName(name)
  const alike = ownText(key, defined)
  if (name === key || isOfAllRecords(name)) return alike
  const own = attributeText(name, defined.bound)
  return defined.define(`if(${own} != '', ${own}, ${alike})`)
}

/** A record as it came. `lineBytesMax`: of longer lines nothing is known. */
export function recordAsItCame(lineBytesMax: number, defined: Definitions): StagedRecord {
  const line = defined.define(`if(length(Body) <= ${lineBytesMax}, Body, NULL)`)
  const label = (name: string) => ownTextUnder(name, defined)
  return {
    ...{ line, error: "''", passes: '1', label },
    details: { isThere: '0', text: "''" },
    shown(name) {
      const own = label(name)
      if (isOfAllRecords(name)) return own
      const bound = defined.bound.text(name)
      const exact = attributeText(name, defined.bound)
      return defined.define(`if(mapContains(LogAttributes, ${bound}), ${exact}, ${own})`)
    },
    hasOwn: () => '1',
  }
}

export const isErrorKey = (key: string) => key === errorLabel || key === errorDetailsLabel

/** The text of one of these two, which is not known of a record that came with such an attribute. */
export function errorText(
  { error, details }: Pick<StagedRecord, 'error' | 'details'>,
  key: typeof errorLabel | typeof errorDetailsLabel,
  defined: Definitions,
): string {
  const text = key === errorLabel ? error : details.text
  const isOwn = `${ownText(key, defined)} != '' OR ${hasAttribute(key, defined.bound)}`
  return defined.define(`if(${isOwn}, NULL, ${text})`)
}

const movedBehind = '_extracted'

/**
 * A record of which a parser has read its line. `foundOf`: by LogQL's names; undefined for what it finds of
 * no record. `error`: behind it, unknown where the line is.
 */
export function withFound(
  before: StagedRecord,
  foundOf: (key: string) => Found | undefined,
  defined: Definitions,
  error = defined.define(whereKnown([before.line], before.error)),
): StagedRecord {
  /** Where a label gets what the parser has found: under its own name, and as one that was moved there. */
  const placesOf = (key: string) => {
    const found = foundOf(key)
    const base = key.endsWith(movedBehind) ? key.slice(0, -movedBehind.length) : ''
    const moved = base === '' ? undefined : foundOf(base)
    const isHere = () => choose(`${ownText(key, defined)} = ''`, found!.isThere, '0')
    const isMoved = () => choose(`${ownText(base, defined)} != ''`, moved!.isThere, '0')
    return {
      here: found && { isThere: defined.define(isHere()), text: found.text },
      fromBase: moved && { isThere: defined.define(isMoved()), text: moved.text },
    }
  }
  const changed = (key: string, was: string): string => {
    const { here, fromBase } = placesOf(key)
    const orMoved = fromBase === undefined ? was : choose(fromBase.isThere, fromBase.text, was)
    if (here === undefined) return fromBase === undefined ? was : defined.define(orMoved)
    const either = choose(here.isThere, here.text, orMoved)
    if (fromBase === undefined) return defined.define(either)
    // Which of both comes last is not known.
    const areBoth = `(${here.isThere} AND ${fromBase.isThere})`
    return defined.define(choose(areBoth, unknown, either))
  }
  return {
    ...before,
    error,
    label: name => changed(logqlName(name), before.label(name)),
    shown: name => changed(logqlName(name), before.shown(name)),
    hasOwn(key) {
      const { here, fromBase } = placesOf(key)
      const made = [here, fromBase].filter(place => place !== undefined)
      const isNotMade = made.map(({ isThere }) => `NOT ${isThere}`)
      return defined.define(allOf([before.hasOwn(key), ...isNotMade]))
    },
  }
}

/** A record whose label has another text where `isSet`. */
export function withLabel(
  before: StagedRecord,
  changedKey: string,
  { isSet, text }: { readonly isSet: string; readonly text: string },
  defined: Definitions,
): StagedRecord {
  const changed = (key: string, was: string) =>
    key === changedKey ? defined.define(choose(isSet, text, was)) : was
  return {
    ...before,
    label: name => changed(logqlName(name), before.label(name)),
    shown: name => changed(logqlName(name), before.shown(name)),
    hasOwn(key) {
      const had = before.hasOwn(key)
      return key === changedKey ? defined.define(allOf([had, `NOT ${isSet}`])) : had
    },
  }
}

/** A record with those of its labels only for which `isKept` is not undefined, and holds. */
export function withLabelsKept(
  before: StagedRecord,
  isKept: (key: string) => readonly string[],
  defined: Definitions,
): StagedRecord {
  const changed = (key: string, was: string) => {
    const conditions = isKept(key)
    return conditions.length === 0 ? "''" : defined.define(choose(anyOf(conditions), was, "''"))
  }
  return {
    ...before,
    label: name => changed(logqlName(name), before.label(name)),
    shown: name => changed(logqlName(name), before.shown(name)),
    hasOwn(key) {
      const conditions = isKept(key)
      if (conditions.length === 0) return '0'
      return defined.define(allOf([before.hasOwn(key), anyOf(conditions)]))
    },
  }
}
