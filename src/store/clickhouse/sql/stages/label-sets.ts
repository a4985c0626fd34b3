/**
 * All labels behind stages together, by which LogQL tells series apart: as `query/stages/staged-columns.ts`
 * has them.
 */
import { logqlName, ownName } from '../../../../language/logql-names.ts'
import { errorLabel } from '../../../../query/stages/row.ts'
import { seriesLabels } from '../../../../record.ts'
import { columnOf } from '../label.ts'
import type { Definitions } from './definitions.ts'
import type { Staged } from './staged.ts'
import { allOf, anyOf, whereKnown } from './unknown.ts'
import { foundLabels, unnamedLabels } from './unnamed-labels.ts'

const seriesKeys: ReadonlySet<string> = new Set(seriesLabels.map(logqlName))

/**
 * The text of all labels but those of some keys, NULL where it is not known; undefined where the stages do
 * not tell which labels they make.
 */
export function labelSetText(
  leftOut: readonly string[],
  staged: Staged,
  defined: Definitions,
): string | undefined {
  const unnamed = unnamedLabels(staged, defined)
  if (unnamed === undefined) return undefined
  const { record } = staged
  const { bound } = defined
  const isAsked = (key: string) => !leftOut.includes(key)
  const named = unnamed.named.filter(isAsked).map(key => {
    const [text, has] = [record.label(key), record.hasOwn(key)]
    const isThere = seriesKeys.has(key)
      ? anyOf([has, `${text} != ''`])
      : allOf([`NOT ${has}`, `${text} != ''`])
    return { key, text, isThere: defined.define(isThere) }
  })
  const error = { key: errorLabel, text: record.error, isThere: `${record.error} != ''` }
  const apart = isAsked(errorLabel) ? [...named, error] : named
  const pairs = [
    pairsThere(apart, defined),
    ownPairs(unnamed, [...seriesKeys].filter(isAsked), defined),
  ]
  const texts = new Map(unnamed.founds.map(found => [found, found.texts()]))
  const pairsOf = (found: (typeof unnamed.founds)[number]) =>
    defined.define(`arrayZip(${found.keys}, ${texts.get(found)!.texts})`)
  for (const found of foundLabels(unnamed, pairsOf, defined)) {
    pairs.push(`arrayMap(pair -> (${ownNameIn('pair.1')}, pair.2),
      arrayFilter(pair -> NOT has(${bound.texts(leftOut)}, pair.1), ${found}))`)
  }
  const set = defined.define(`arraySort(pair -> pair.1, arrayConcat(${pairs.join(', ')}))`)
  const known = [
    ...apart.flatMap(({ text, isThere }) => [text, isThere]),
    ...unnamed.founds.map(({ isKnown }) => isKnown),
    ...[...texts.values()].map(({ areTold }) => areTold),
  ]
  return defined.define(whereKnown(known, jsonOf(set, defined)))
}

interface Apart {
  readonly key: string
  /** These two may be NULL. */
  readonly text: string
  readonly isThere: string
}

/** Of labels that have expressions of their own. */
function pairsThere(labels: readonly Apart[], defined: Definitions): string {
  const { bound } = defined
  const all = labels.map(({ key, text, isThere }) => {
    return `(${bound.text(ownName(key))}, ifNull(${text}, ''), ifNull(${isThere}, 0))`
  })
  if (all.length === 0) return noPairs
  return `arrayMap(one -> (one.1, one.2), arrayFilter(one -> one.3, [${all.join(', ')}]))`
}

const noPairs = `CAST([], 'Array(Tuple(String, String))')`

/** What all records have, be it empty, where it is as it came; of `keys` those that no stage names. */
function ownPairs(
  { named, isOwn }: { readonly named: readonly string[]; readonly isOwn: string },
  keys: readonly string[],
  { bound }: Definitions,
): string {
  const own = keys.filter(key => !named.includes(key))
  if (own.length === 0) return noPairs
  const pairs = own.map(key => {
    const name = ownName(key)
    return `(${bound.text(name)}, toString(${columnOf(name)}))`
  })
  return `arrayFilter((pair, key) -> ${isOwn}, [${pairs.join(', ')}], ${bound.texts(own)})`
}

function ownNameIn(key: string): string {
  const renamed = [...seriesKeys].map(one => [`'${one}'`, `'${ownName(one)}'`] as const)
  const [keys, names] = [0, 1].map(i => renamed.map(pair => pair[i]).join(', '))
  return `transform(${key}, [${keys}], [${names}], ${key})`
}

/** As JavaScript writes pairs; NULL where signs have numbers, which both may write in other ways. */
function jsonOf(pairs: string, defined: Definitions): string {
  const written = defined.define(`toJSONString(arrayMap(pair -> [pair.1, pair.2], ${pairs}))`)
  return `if(position(${written}, '\\\\u') > 0, NULL, replaceAll(${written}, '\\\\/', '/'))`
}
