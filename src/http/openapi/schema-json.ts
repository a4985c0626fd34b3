/**
 * From the schemas of the code to those of the document: the same, but with a reference in place of each
 * schema that has a name, and with what a field means in front of what it must be.
 */

import type { DescribedFields } from './operation.ts'

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json
}

/** The name of a schema in the document, if it has one: its `$id`, which copies of it have too. */
function nameOf(schema: object): string | undefined {
  return '$id' in schema && typeof schema.$id === 'string' ? schema.$id : undefined
}

const pointerTo = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

/** `components.schemas` of the document: all that have a name, anywhere in `described`. */
export function namedSchemas(described: unknown): JsonObject {
  const found = new Map<string, JsonObject>()
  const seen = new Set<unknown>()
  const look = (at: unknown) => {
    if (typeof at !== 'object' || at === null || seen.has(at)) return
    seen.add(at)
    const name = nameOf(at)
    if (name !== undefined) found.set(name, membersJson(at))
    Object.values(at).forEach(look)
  }
  look(described)
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * A schema as the document has it: without members that are undefined; one with a name as a reference to it.
 */
export function schemaJson(schema: unknown): Json {
  if (typeof schema !== 'object' || schema === null) return schema as Json
  const name = nameOf(schema)
  if (name !== undefined) return pointerTo(name)
  return Array.isArray(schema) ? schema.map(schemaJson) : membersJson(schema)
}

function membersJson(schema: object): JsonObject {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([member, value]) => value !== undefined && member !== '$id')
      .map(([member, value]) => [member, schemaJson(value)]),
  )
}

/** The schema of an object whose fields each say what they mean and what they must be. */
export function fieldsJson({ schema, meanings, inside = {} }: DescribedFields): JsonObject {
  return withMeanings(membersJson(schema), { ...meanings, ...inside }, '')
}

function withMeanings(
  schema: JsonObject,
  meanings: Readonly<Record<string, string>>,
  prefix: string,
): JsonObject {
  const { properties, items } = schema
  const of = (inner: Json, path: string) => withMeanings(inner as JsonObject, meanings, path)
  return {
    ...schema,
    ...(items === undefined ? {} : { items: of(items, `${prefix.slice(0, -1)}[].`) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties as JsonObject).map(([name, property]) => {
              const path = prefix + name
              const description = describe(meanings[path], (property as JsonObject).description)
              return [name, { ...of(property, `${path}.`), ...description }]
            }),
          ),
        }),
  }
}

function describe(meaning: string | undefined, rule: Json | undefined): JsonObject {
  const parts = [meaning ?? [], typeof rule === 'string' ? `Must be ${rule}.` : []].flat()
  return parts.length === 0 ? {} : { description: parts.join(' ') }
}
