/** What people and completion look around with: facets, fields, values, and the records around one. */
import { Type } from 'typebox'
import { limits } from '../../../limits.ts'
import { checkBody } from '../../../schema/check.ts'
import { jsonReply, type Reply } from '../../reply/reply.ts'
import type { JsonRequest } from '../../routes.ts'
import type { QueryDependencies } from './query.ts'
import { readRecords, readTimeout, recordsFields } from './records-request.ts'
import { timeWarnings, type Warned } from './time-warnings.ts'

const topLimit = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: limits.topValuesMax,
    description: `an integer between 1 and ${limits.topValuesMax}`,
  }),
)

export const facetsSchema = Type.Object({
  ...recordsFields,
  fields: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: limits.facetFieldsMax,
      uniqueItems: true,
      description: `a list of 1 to ${limits.facetFieldsMax} names of fields, none twice`,
    }),
  ),
  limit: topLimit,
})

export const fieldsSchema = Type.Object(recordsFields)

export const valuesSchema = Type.Object({
  ...recordsFields,
  field: Type.String(),
  prefix: Type.Optional(Type.String()),
  limit: topLimit,
})

const neighbourCount = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: limits.contextRecordsMax,
    description: `an integer between 0 and ${limits.contextRecordsMax}`,
  }),
)

export const contextSchema = Type.Object({
  id: Type.String(),
  before: neighbourCount,
  after: neighbourCount,
  timeoutMs: recordsFields.timeoutMs,
})

export function exploreHandlers({ store, config, runner }: QueryDependencies): {
  facets(request: JsonRequest): Promise<Reply>
  fields(request: JsonRequest): Promise<Reply>
  values(request: JsonRequest): Promise<Reply>
  context(request: JsonRequest): Promise<Reply>
} {
  /** Runs one operation within its bounds. */
  const answer = async (
    { signal, caller }: JsonRequest,
    askedTimeoutMs: number | undefined,
    work: (stop: AbortSignal) => Promise<object>,
    warned: Warned = {},
  ): Promise<Reply> => {
    const timeoutMs = readTimeout(askedTimeoutMs, config.queryTimeoutMs)
    const result = await runner.run(work, {
      timeoutMs,
      clientSignal: signal(),
      asker: caller.apiKey?.id,
    })
    return jsonReply({ ...result, ...warned })
  }

  return {
    async facets(request) {
      const asked = checkBody(facetsSchema, request.body)
      const { query: _, ...records } = readRecords(asked)
      const { fields, limit = limits.topValuesDefault, timeoutMs } = asked
      const facets = { ...records, fields, limit }
      const warned = timeWarnings(asked)
      return answer(request, timeoutMs, stop => store.facets(facets, stop), warned)
    },

    async fields(request) {
      const asked = checkBody(fieldsSchema, request.body)
      const { query: _, ...records } = readRecords(asked)
      const warned = timeWarnings(asked)
      return answer(request, asked.timeoutMs, stop => store.fields(records, stop), warned)
    },

    async values(request) {
      const asked = checkBody(valuesSchema, request.body)
      const { query: _, ...records } = readRecords(asked)
      const { field, prefix = '', limit = limits.topValuesDefault, timeoutMs } = asked
      const values = { ...records, field, prefix, limit }
      const warned = timeWarnings(asked)
      return answer(request, timeoutMs, stop => store.values(values, stop), warned)
    },

    async context(request) {
      const { timeoutMs, ...asked } = checkBody(contextSchema, request.body)
      const {
        id,
        before = limits.contextRecordsDefault,
        after = limits.contextRecordsDefault,
      } = asked
      return answer(request, timeoutMs, stop => store.context({ id, before, after }, stop))
    },
  }
}
