/**
 * Counts per value of several fields. Of records as they came attributes are counted in one pass, each column
 * in one of its own; where fields are made of others, all in one, so that these are made once.
 */
import type { FacetsRequest, PlainFacets } from '../../../query/collect/facets.ts'
import type { ValuesWanted } from '../../../query/collect/value-counts.ts'
import { patternLabel } from '../../../record.ts'
import { Bound } from './bound.ts'
import type { CollectedQuestion } from './collected.ts'
import { columnOf, ownOrPattern } from './label.ts'
import type { ListedFields } from './stages/listed-fields.ts'
import { whole } from './whole.ts'

interface Row {
  readonly field: string
  readonly present: number | string
  readonly isOver: number
  readonly pairs: readonly [string, number | string][]
}

/** The text of a field, and whether a record has it, in SQL; not NULL. */
export type FieldOf = (
  field: string,
  bound: Bound,
) => { readonly text: string; readonly isThere: string }

export function facetsQuestion({ fields, wanted }: FacetsRequest): CollectedQuestion {
  const bound = new Bound('q')
  const columnIn = (field: string) =>
    field === patternLabel ? ownOrPattern(bound) : columnOf(field)
  const attributes = fields.filter(field => columnIn(field) === undefined)
  const names = bound.texts(attributes)
  const counted = countedOf(wanted, bound)
  const ofColumns = fields.filter(field => columnIn(field) !== undefined)
  const nameOf = new Map(ofColumns.map(field => [field, bound.text(field)]))

  const statement = (from: string) => {
    const parts = ofColumns.map(
      field => `SELECT ${nameOf.get(field)} AS field, ${counted} FROM (
        SELECT toString(${columnIn(field)}) AS text, count() AS found FROM ${from} GROUP BY text)`,
    )
    if (attributes.length > 0) {
      parts.push(`SELECT toString(name) AS field, ${counted} FROM (
        SELECT name, text, count() AS found FROM (
          SELECT mapFilter((k, v) -> k IN ${names}, LogAttributes) AS kept FROM ${from}
        ) ARRAY JOIN mapKeys(kept) AS name, mapValues(kept) AS text GROUP BY name, text
      ) GROUP BY name`)
    }
    return parts.join(' UNION ALL ')
  }
  return { statement, params: bound.params, plainOf: rows => plainOf(fields, rows as Row[]) }
}

/** The same of fields that are made of others. */
export function madeFacetsQuestion(
  { fields, wanted }: FacetsRequest,
  fieldOf: FieldOf,
  listed: ListedFields | undefined,
): CollectedQuestion {
  const bound = new Bound('q')
  const names = bound.texts(fields)
  const counted = countedOf(wanted, bound)
  const numbered = new Map(fields.map((field, i) => [field, i + 1]))
  for (const field of listed?.fields ?? []) numbered.delete(field)
  const made = Array.from(numbered, ([field, number]) => {
    const { text, isThere } = fieldOf(field, bound)
    return `(toUInt64(${whole(number)}), toString(${text}), ifNull(${isThere}, 0))`
  })
  const all = [
    ...(made.length > 0 ? [`[${made.join(', ')}]`] : []),
    ...(listed
      ? [`arrayMap(pair -> (indexOf(${names}, pair.1), pair.2, 1), ${listed.pairs})`]
      : []),
  ]
  return {
    statement: from => `SELECT ${names}[number] AS field, ${counted} FROM (
      SELECT pair.1 AS number, pair.2 AS text, count() AS found FROM (
        SELECT arrayFilter(pair -> pair.3, arrayConcat(${all.join(', ')})) AS pairs FROM ${from}
      ) ARRAY JOIN pairs AS pair GROUP BY number, text
    ) GROUP BY number`,
    params: bound.params,
    plainOf: rows => plainOf(fields, rows as Row[]),
  }
}

/** Of one field's texts and how often each was `found`: what of them is wanted, unless it is too much. */
function countedOf({ prefix, bounds }: ValuesWanted, bound: Bound): string {
  const isWanted = prefix === '' ? '1' : `startsWith(text, ${bound.text(prefix)})`
  const { countMax, lengthMax } = bounds
  const isOver = `countIf(${isWanted}) > ${whole(countMax)}
    OR sumIf(lengthUTF8(text), ${isWanted}) > ${whole(lengthMax)}`
  const pairs = `groupArrayIf(${whole(countMax + 1)})((text, found), ${isWanted})`
  return `sum(found) AS present, (${isOver}) AS isOver, if(isOver, [], ${pairs}) AS pairs`
}

function plainOf(fields: readonly string[], rows: readonly Row[]): PlainFacets {
  const byField = new Map(rows.map(row => [row.field, row]))
  return fields.map(field => {
    const row = byField.get(field)
    if (row === undefined) return [0, { values: [], counts: [] }]
    const values = row.pairs.map(([text]) => text)
    const counts = row.pairs.map(([, found]) => Number(found))
    return [Number(row.present), row.isOver ? undefined : { values, counts }]
  })
}
