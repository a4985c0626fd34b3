/**
 * `detected_fields`: the metadata of the latest entries, each name with its number of values and what
 * they look like. As in Loki it is a look at this many lines, not at all of them; the values of one field
 * are of all.
 */

import { Type } from 'typebox'
import { decimalOf } from '../../../columns/decimal.ts'
import { parseDuration } from '../../../language/duration.ts'
import { limits } from '../../../limits.ts'
import type { LokiEntry } from '../../../store/answer/loki-entry.ts'
import { jsonAnswer } from '../../openapi/operation.ts'
import { jsonReply } from '../../reply/reply.ts'
import type { DescribedRoute } from '../../route.ts'
import { optional } from '../prometheus/described.ts'
import type { QueryDependencies } from '../query/bounds.ts'
import { aboutRecords } from './about-records.ts'
import { readEntries } from './entries.ts'
import { valuesOf } from './fields.ts'
import { withOwnFields } from './own-fields.ts'
import { readCount } from './parameters.ts'

const fieldsLimit = { absent: 1_000, maximum: limits.fieldNamesMax } as const
const linesLimit = { absent: 1_000, maximum: limits.lokiEntriesMax } as const

const types = ['boolean', 'int', 'float', 'duration', 'bytes', 'string'] as const
type FieldType = (typeof types)[number]

const fieldSchema = Type.Object({
  label: Type.String(),
  type: Type.Enum(types),
  cardinality: Type.Integer({ minimum: 1 }),
  parsers: Type.Null({ description: 'Always null: fields are metadata, no parser is needed.' }),
})

const limitSchema = Type.Integer({ minimum: 1 })

export function detectedFieldsRoutes(dependencies: QueryDependencies): readonly DescribedRoute[] {
  const { store } = dependencies
  const answer = Type.Object({ fields: Type.Array(fieldSchema), limit: limitSchema })
  return aboutRecords(dependencies, {
    path: 'detected_fields',
    id: 'lokiDetectedFields',
    summary: 'Structured metadata with its numbers of values',
    description: 'Of the latest `line_limit` entries that match.',
    parameters: { limit: optional, line_limit: optional, step: optional },
    meanings: {
      limit: `How many fields, at most ${fieldsLimit.maximum}; ${fieldsLimit.absent} when absent.`,
      line_limit: `How many entries, at most ${linesLimit.maximum}; ${linesLimit.absent} when absent.`,
      step: 'Changes nothing here.',
    },
    answers: { 200: jsonAnswer('Each field.', answer) },
    sample: { parameters: { query: '{service_name="checkout"}', since: '1h' } },
    ask: ({ selector, range }, { parameters }) => {
      const limit = readCount(parameters, 'limit', fieldsLimit)
      const lines = readCount(parameters, 'line_limit', linesLimit)
      const latest = { range, limit: lines, order: 'desc', intervalMs: 0 } as const
      return async stop => {
        const own = await withOwnFields(store, selector, range, stop)
        const { entries } = await readEntries(store, { ...latest, selector: own }, stop)
        return jsonReply({ fields: fieldsOf(entries).slice(0, limit), limit })
      }
    },
  })
}

/** `detected_field/{name}/values`: the values of a field. */
export function detectedFieldValuesRoutes(
  dependencies: QueryDependencies,
): readonly DescribedRoute[] {
  const answer = Type.Object({ values: Type.Array(Type.String()), limit: limitSchema })
  return aboutRecords(dependencies, {
    path: 'detected_field/{name}/values',
    id: 'lokiDetectedFieldValues',
    summary: 'The values of a field',
    pathParameters: { name: "The field, under LogQL's name: `http_route`." },
    parameters: { limit: optional, line_limit: optional },
    meanings: {
      limit: `How many values, at most ${fieldsLimit.maximum}; ${fieldsLimit.absent} when absent.`,
      line_limit: 'Changes nothing here: all entries count.',
    },
    answers: { 200: jsonAnswer('Values in order.', answer) },
    sample: { path: { name: 'detected_level' }, parameters: { since: '1h' } },
    ask: (looked, request) => {
      const limit = readCount(request.parameters, 'limit', fieldsLimit)
      const name = request.pathParameter('name')
      return async stop => {
        const values = await valuesOf(dependencies.store, name, looked, stop)
        return jsonReply({ values: values.slice(0, limit), limit })
      }
    },
  })
}

/** Those that the most entries have come first. */
function fieldsOf(entries: readonly LokiEntry[]) {
  const found = new Map<string, { count: number; values: Set<string> }>()
  for (const { metadata, parsed } of entries) {
    for (const [name, value] of Object.entries({ ...metadata, ...parsed })) {
      const field = found.get(name) ?? { count: 0, values: new Set() }
      field.count++
      field.values.add(value)
      found.set(name, field)
    }
  }
  const all = [...found.entries()].sort(([a, one], [b, other]) =>
    one.count === other.count ? (a < b ? -1 : 1) : other.count - one.count,
  )
  return all.map(([label, { values }]) => ({
    label,
    type: typeOf(values),
    cardinality: values.size,
    parsers: null,
  }))
}

const tests: Readonly<Record<Exclude<FieldType, 'string'>, (value: string) => boolean>> = {
  boolean: value => value === 'true' || value === 'false',
  int: value => /^[-+]?\d+$/.test(value),
  float: value => !Number.isNaN(decimalOf(value)),
  duration: value => parseDuration(value, 'fractions') !== undefined,
  bytes: value => /^\d+(?:\.\d+)?\s?(?:[KMGTPE]i?)?B$/i.test(value),
}

/** What all values look like. */
function typeOf(values: ReadonlySet<string>): FieldType {
  for (const type of types) {
    if (type === 'string') break
    if ([...values].every(tests[type])) return type
  }
  return 'string'
}
