/**
 * Null in an optional field means what its absence means: many clients' libraries write all fields of
 * a request, and null where nothing was set. Fields that no schema names are nobody's business here.
 */
import type { TSchema } from 'typebox'

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly items?: TSchema
}

/** `value` without null where `schema` names an optional field; itself when there is none. */
export function withoutNulls(schema: TSchema, value: unknown): unknown {
  const { properties, required = [], items } = schema as ObjectSchema
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return items === undefined ? value : itemsWithoutNulls(items, value)
  if (properties === undefined) return value
  let isChanged = false
  const kept: [string, unknown][] = []
  for (const [name, field] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    const isLeftOut = known !== undefined && field === null && !required.includes(name)
    const inner = known === undefined ? field : withoutNulls(known, field)
    isChanged ||= isLeftOut || inner !== field
    if (!isLeftOut) kept.push([name, inner])
  }
  return isChanged ? Object.fromEntries(kept) : value
}

function itemsWithoutNulls(schema: TSchema, values: readonly unknown[]): readonly unknown[] {
  const kept = values.map(value => withoutNulls(schema, value))
  return kept.some((value, i) => value !== values[i]) ? kept : values
}
