/**
 * `detected_fields`: the metadata of the latest entries, each name with its number of values and what
 * they look like. As in Loki it is a look at this many lines, not at all of them.
 */

import { Type } from 'typebox'
import { decimalOf } from '../../../columns/decimal.ts'
import { parseDuration } from '../../../language/duration.ts'
import { limits } from '../../../limits.ts'
import type { LokiEntry } from '../../../store/answer/loki-entry.ts'
import { jsonAnswer } from '../../openapi/operation.ts'
import { queryProblems } from '../../openapi/route-problems.ts'
import { jsonReply } from '../../reply/reply.ts'
import type { DescribedRoute } from '../../route.ts'
import { optional, parametersOf } from '../prometheus/described.ts'
import type { QueryDependencies } from '../query/bounds.ts'
import { range, rangeMeanings, recordsMeaning } from './described.ts'
import { readEntries } from './entries.ts'
import { byGetAndPost } from './form-routes.ts'
import { withOwnFields } from './own-fields.ts'
import { readCount, readRecordsOf } from './parameters.ts'
import { runAsked } from './run.ts'
import { readRange } from './times.ts'

export const fieldsLimit = { absent: 1_000, maximum: limits.fieldNamesMax } as const
const linesLimit = { absent: 1_000, maximum: limits.lokiEntriesMax } as const

const types = ['boolean', 'int', 'float', 'duration', 'bytes', 'string'] as const
type FieldType = (typeof types)[number]

const fieldSchema = Type.Object({
  label: Type.String(),
  type: Type.Enum(types),
  cardinality: Type.Integer({ minimum: 1 }),
  parsers: Type.Null({ description: 'Always null: fields are metadata, no parser is needed.' }),
})

const about = {
  id: 'lokiDetectedFields',
  summary: 'Structured metadata with its numbers of values',
  description: 'Of the latest `line_limit` entries that match.',
  parameters: parametersOf(
    { query: optional, ...range, limit: optional, line_limit: optional, step: optional },
    {
      query: recordsMeaning,
      ...rangeMeanings('an hour'),
      limit: `How many fields, at most ${fieldsLimit.maximum}; ${fieldsLimit.absent} when absent.`,
      line_limit: `How many entries, at most ${linesLimit.maximum}; ${linesLimit.absent} when absent.`,
      step: 'Changes nothing here.',
    },
  ),
  answers: {
    200: jsonAnswer(
      'Each field.',
      Type.Object({ fields: Type.Array(fieldSchema), limit: Type.Integer({ minimum: 1 }) }),
    ),
  },
  problems: queryProblems,
  sample: { parameters: { query: '{service_name="checkout"}', since: '1h' } },
}

export function detectedFieldsRoutes(dependencies: QueryDependencies): readonly DescribedRoute[] {
  return byGetAndPost({
    path: 'detected_fields',
    about,
    handle(request) {
      const { parameters } = request
      const limit = readCount(parameters, 'limit', fieldsLimit)
      const asked = {
        selector: readRecordsOf(parameters),
        range: readRange(parameters),
        limit: readCount(parameters, 'line_limit', linesLimit),
        order: 'desc',
        intervalMs: 0,
      } as const
      return runAsked(dependencies, request, async stop => {
        const { store } = dependencies
        const selector = await withOwnFields(store, asked.selector, asked.range, stop)
        const { entries } = await readEntries(store, { ...asked, selector }, stop)
        return jsonReply({ fields: fieldsOf(entries).slice(0, limit), limit })
      })
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
