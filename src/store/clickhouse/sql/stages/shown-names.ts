/** Names of the attributes that a record shows behind stages: as `query/collect/fields.ts` counts them. */

import { parseLinePattern } from '../../../../language/line-pattern.ts'
import { logqlName } from '../../../../language/logql-names.ts'
import type { Stage } from '../../../../language/stage.ts'
import { compileCapturing } from '../../../../match/pattern.ts'
import { errorDetailsLabel, errorLabel } from '../../../../query/stages/row.ts'
import { type AllFound, allFoundBy, findsAny, ownKeys } from './all-found.ts'
import type { Definitions } from './definitions.ts'
import type { Staged } from './staged.ts'
import { isErrorKey } from './staged-record.ts'
import { whereKnown } from './unknown.ts'

export interface ShownNames {
  /** An array of texts, none twice. */
  readonly names: string
  /** 1 where these are all; NULL elsewhere. */
  readonly isKnown: string
}

/** No key, nor name. */
const none = ' '

/** Undefined where the stages do not tell which labels they make. */
export function shownNames(
  { steps, record }: Staged,
  defined: Definitions,
): ShownNames | undefined {
  const named = new Set<string>()
  for (const { stage } of steps) {
    const keys = namedKeys(stage)
    if (keys === undefined) return undefined
    for (const key of keys) if (!isErrorKey(key)) named.add(key)
  }
  const lastKeep = steps.findLastIndex(({ stage }) => stage.kind === 'keep')
  // What is found before, and not named, is not kept.
  const founds = steps
    .filter(({ stage }, at) => at > lastKeep && findsAny(stage))
    .map(({ stage, before }) => allFoundBy(stage, before, defined))
  const { bound } = defined
  const own = [...named].map(key => ({ key, text: bound.text(key), has: record.hasOwn(key) }))
  const keptKeys = own.map(({ text, has }) => `if(${has}, ${text}, '${none}')`)
  const kept = defined.define(`[${[`'${none}'`, ...keptKeys].join(', ')}]`)
  const keys = ownKeys(defined)
  const allNamed = bound.texts([...named])
  const isOther = `NOT has(${allNamed}, key)${founds.map(one => ` AND NOT has(${one.keys}, key)`).join('')}`
  const isShown = lastKeep === -1 ? `(has(${kept}, key) OR (${isOther}))` : `has(${kept}, key)`
  const ownNames = defined.define(
    `arrayMap(name -> toString(name), arrayFilter((name, key) -> ${isShown}, mapKeys(LogAttributes), ${keys}))`,
  )
  const made = own.map(({ key, text, has }) => {
    return `if(NOT ${has} AND ${record.label(key)} != '', ${text}, '${none}')`
  })
  const { details, error } = record
  const errors = [
    `if(${error} = '', '${none}', '${errorLabel}')`,
    `if(${details.isThere}, '${errorDetailsLabel}', '${none}')`,
  ]
  const ofLabels = defined.define(
    `arrayFilter(name -> name != '${none}', [${[...made, ...errors].join(', ')}])`,
  )
  const found = foundNames(founds, allNamed, defined)
  const known = [
    ...own.flatMap(({ key, has }) => [has, record.label(key)]),
    ...founds.map(({ isKnown }) => isKnown),
    ...[error, details.isThere],
  ]
  const hidesError = `hasAny(${keys}, ['${errorLabel}', '${errorDetailsLabel}'])`
  return {
    names: defined.define(
      `arrayDistinct(arrayConcat(${[ownNames, ofLabels, ...found].join(', ')}))`,
    ),
    isKnown: defined.define(whereKnown(known, `if(${hidesError}, NULL, 1)`)),
  }
}

/** What the last parser that finds a label makes of it counts. */
function foundNames(
  founds: readonly AllFound[],
  allNamed: string,
  defined: Definitions,
): readonly string[] {
  return founds.map(({ keys, areEmpty }, at) => {
    const later = founds.slice(at + 1).map(one => ` AND NOT has(${one.keys}, key)`)
    const isShown = `isEmpty = 0 AND NOT has(${allNamed}, key)${later.join('')}`
    return defined.define(`arrayFilter((key, isEmpty) -> ${isShown}, ${keys}, ${areEmpty})`)
  })
}

/** LogQL's names of labels that a stage names, and may make or take; undefined where that is not told. */
function namedKeys(stage: Stage): readonly string[] | undefined {
  switch (stage.kind) {
    case 'line':
    case 'filter':
    case 'line_format':
    case 'decolorize':
      return []
    case 'json':
    case 'logfmt':
      return extracted(stage.extractions.map(({ label }) => label))
    case 'regexp':
      return extracted(Object.keys(compileCapturing(stage.text).namedGroups()))
    case 'pattern': {
      const parts = parseLinePattern(stage.text)
      if (typeof parts === 'string') return undefined
      const captures = parts.flatMap(part => (typeof part === 'string' ? [] : [part.capture]))
      return extracted(captures.filter(name => name !== '_'))
    }
    case 'label_format':
      return stage.assignments
        .flatMap(one => ('from' in one ? [one.label, one.from] : [one.label]))
        .map(logqlName)
    case 'keep':
    case 'drop':
      return stage.labels.map(label => logqlName(typeof label === 'string' ? label : label.label))
    default:
      return undefined
  }
}

/** Under the names that they get, whatever the record came with. */
function extracted(labels: readonly string[]): readonly string[] {
  return labels.map(logqlName).flatMap(key => [key, `${key}_extracted`])
}
