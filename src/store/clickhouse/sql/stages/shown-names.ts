/** Names of the attributes that a record shows behind stages: as `query/collect/fields.ts` counts them. */
import { errorDetailsLabel, errorLabel } from '../../../../query/stages/row.ts'
import { ownKeys } from './all-found.ts'
import type { Definitions } from './definitions.ts'
import type { Staged } from './staged.ts'
import { whereKnown } from './unknown.ts'
import { foundLabels, unnamedLabels } from './unnamed-labels.ts'

export interface ShownNames {
  /** An array of texts, none twice. */
  readonly names: string
  /** 1 where these are all; NULL elsewhere. */
  readonly isKnown: string
}

/** No key, nor name. */
const none = ' '

/** Undefined where the stages do not tell which labels they make. */
export function shownNames(staged: Staged, defined: Definitions): ShownNames | undefined {
  const unnamed = unnamedLabels(staged, defined)
  if (unnamed === undefined) return undefined
  const { named, founds, isOwn } = unnamed
  const { record } = staged
  const { bound } = defined
  const own = named.map(key => ({ key, text: bound.text(key), has: record.hasOwn(key) }))
  const keptKeys = own.map(({ text, has }) => `if(${has}, ${text}, '${none}')`)
  const kept = defined.define(`[${[`'${none}'`, ...keptKeys].join(', ')}]`)
  const keys = ownKeys(defined)
  const ownNames = defined.define(
    `arrayMap(name -> toString(name), arrayFilter((name, key) -> has(${kept}, key) OR (${isOwn}), mapKeys(LogAttributes), ${keys}))`,
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
  const found = foundLabels(unnamed, ({ keys }) => keys, defined)
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
