/**
 * From the schemas of the code to those of the document: the same, but with a reference in place of each
 * schema that has a name, and with what a field means in front of what it must be.
 */

import type { TSchema } from 'typebox'
import { valueCountSchema } from '../schemas/explore.ts'
import { otlpStatusSchema } from '../schemas/otlp.ts'
import { positionSchema, problemSchema, prometheusErrorSchema } from '../schemas/problem.ts'
import { recordSchema, statsSchema } from '../schemas/records.ts'
import { countGroupSchema, selectAnswer, valueGroupSchema } from '../schemas/select.ts'
import { apiKeySchema, dashboardSummarySchema, tokenSchema } from '../schemas/settings.ts'
import type { DescribedFields } from './operation.ts'

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json
}

/** The schemas that have a name in the document. */
const named: Readonly<Record<string, TSchema>> = {
  ApiKey: apiKeySchema,
  CountGroup: countGroupSchema,
  DashboardSummary: dashboardSummarySchema,
  IngestionToken: tokenSchema,
  OtlpStatus: otlpStatusSchema,
  Position: positionSchema,
  Problem: problemSchema,
  PrometheusError: prometheusErrorSchema,
  QueryAnswer: selectAnswer,
  Record: recordSchema,
  Stats: statsSchema,
  ValueCount: valueCountSchema,
  ValueGroup: valueGroupSchema,
}

/** By what a schema says: an optional field has a copy of its schema. */
const nameOf = new Map(Object.entries(named).map(([name, schema]) => [textOf(schema), name]))

function textOf(schema: object): string {
  return JSON.stringify(schema)
}

export const pointerTo = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

/** `components.schemas` of the document. */
export function namedSchemas(): JsonObject {
  return Object.fromEntries(
    Object.entries(named).map(([name, schema]) => [name, membersJson(schema)]),
  )
}

export function schemaJson(schema: unknown): Json {
  if (typeof schema !== 'object' || schema === null) return schema as Json
  const name = nameOf.get(textOf(schema))
  if (name !== undefined) return pointerTo(name)
  return Array.isArray(schema) ? schema.map(schemaJson) : membersJson(schema)
}

function membersJson(schema: object): JsonObject {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([, value]) => value !== undefined)
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
