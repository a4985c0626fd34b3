/** How the document says that null in an optional field of a body is as if the field were absent. */

import type { Json, JsonObject } from './schema-json.ts'

/** `schema` with null allowed wherever it has a field that may be absent, at any depth. */
export function withNulls(schema: JsonObject): JsonObject {
  const { properties, items, required = [] } = schema
  const changed: Record<string, Json> = { ...schema }
  if (isObject(items)) changed.items = withNulls(items)
  if (isObject(properties)) {
    changed.properties = Object.fromEntries(
      Object.entries(properties).map(([name, field]) => {
        if (!isObject(field)) return [name, field]
        const inner = withNulls(field)
        return [name, (required as readonly Json[]).includes(name) ? inner : orNull(inner)]
      }),
    )
  }
  return changed
}

function orNull(schema: JsonObject): JsonObject {
  const { type, enum: values, description } = schema
  if (Array.isArray(values)) return { ...schema, enum: [...values, null], ...typeOrNull(type) }
  if (type !== undefined) return { ...schema, ...typeOrNull(type) }
  if (Object.keys(schema).every(name => name === 'description')) return schema // Anything.
  const rest = Object.fromEntries(Object.entries(schema).filter(([name]) => name !== 'description'))
  return { ...(description && { description }), anyOf: [rest, { type: 'null' }] }
}

const typeOrNull = (type: Json | undefined): JsonObject =>
  type === undefined ? {} : { type: [type, 'null'].flat() as Json[] }

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
