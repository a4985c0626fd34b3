/** Answers in Prometheus' form, as `resources/prometheus/answers.ts` writes them. */

import { type TSchema, Type } from 'typebox'
import { statsSchema } from './records.ts'

const notes = {
  warnings: Type.Optional(
    Type.Array(Type.String(), { description: 'What may make the answer wrong.' }),
  ),
  infos: Type.Optional(
    Type.Array(Type.String(), { description: 'What may not be as the asker thinks.' }),
  ),
}

export function successSchema(data: TSchema) {
  return Type.Object({ status: Type.Literal('success'), data, ...notes })
}

const labels = Type.Record(Type.String(), Type.String())

export const sampleSchema = Type.Array(Type.Union([Type.Number(), Type.String()]), {
  minItems: 2,
  maxItems: 2,
  description:
    'A time in seconds since 1970, and the value as text: a number, `NaN`, `+Inf` or `-Inf`.',
})

const { properties: costs } = Type.Partial(statsSchema)

/** Without the costs for an expression that looks at no record. */
const queryStats = Type.Optional(
  Type.Object(
    { ...costs, valuesSkipped: Type.Integer({ minimum: 0 }) },
    { description: 'What the answer cost; there when `stats` asks for it.' },
  ),
)

export const instantAnswer = successSchema(
  Type.Union([
    Type.Object({
      resultType: Type.Literal('vector'),
      result: Type.Array(Type.Object({ metric: labels, value: sampleSchema })),
      stats: queryStats,
    }),
    Type.Object({
      resultType: Type.Literal('scalar'),
      result: sampleSchema,
      stats: queryStats,
    }),
  ]),
)

export const rangeAnswer = successSchema(
  Type.Object({
    resultType: Type.Literal('matrix'),
    result: Type.Array(Type.Object({ metric: labels, values: Type.Array(sampleSchema) })),
    stats: queryStats,
  }),
)

export const textsAnswer = successSchema(Type.Array(Type.String()))
export const seriesAnswer = successSchema(Type.Array(labels))

export const metadataAnswer = successSchema(
  Type.Record(
    Type.String(),
    Type.Array(Type.Object({ type: Type.String(), help: Type.String(), unit: Type.String() })),
  ),
)

const nothing = Type.Array(Type.Unknown(), { maxItems: 0 })
export const noExemplarsAnswer = successSchema(nothing)
export const noRulesAnswer = successSchema(Type.Object({ groups: nothing }))
export const noAlertsAnswer = successSchema(Type.Object({ alerts: nothing }))

export const buildInfoAnswer = successSchema(
  Type.Object({
    version: Type.String({ description: 'Of the API that is spoken.' }),
    revision: Type.String(),
    branch: Type.String(),
    buildUser: Type.String(),
    buildDate: Type.String(),
    goVersion: Type.String(),
    application: Type.Literal('logstrata'),
  }),
)
