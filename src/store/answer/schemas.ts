/**
 * What a store answers: each once, as a schema, from which its type and its part of the API's document
 * come. Objects whose names are anybody's (attributes, labels, levels) have no prototype.
 */
import { Type } from 'typebox'
import { type Answer, count, timestamp } from '../../schema/answer.ts'

/** A record as the API returns it. */
export const recordSchema = Type.Object(
  {
    id: Type.String({ description: 'Opaque; the same for the same record in every answer.' }),
    timestamp: Type.Integer({
      description: 'Milliseconds since 1970, UTC: when the event was received, or what it says.',
    }),
    log_level: Type.String({
      description: 'A level word in lower case, as the event has it or as was inferred.',
    }),
    message: Type.String(),
    attributes: Type.Record(Type.String(), Type.String(), {
      description:
        'All other fields of the event, nested names joined by dots, values as text; with `service.name` and `environment` of its ingestion token.',
    }),
    made: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Those of the attributes that stages of the query have made; absent when none.',
      }),
    ),
  },
  { $id: 'Record', description: 'One log record.' },
)

export type AnswerRecord = Answer<typeof recordSchema>

/** What an answer cost. */
export const statsSchema = Type.Object(
  {
    segments: count('Sealed files there are.'),
    blocks: count('Blocks in them.'),
    blocksPrunedByTime: count('Blocks outside of the time, or of other streams: not looked at.'),
    entries: count('Index entries looked at.'),
    entriesPruned: count('Of these, entries whose levels cannot match.'),
    sourcesFromIndex: count('Blocks and ranges of the journal answered by the index alone.'),
    framesScanned: count('Frames of the journal that were read.'),
    blocksScanned: count('Blocks that were read.'),
    blocksPrunedByFilter: count(
      'Blocks ruled out by a word, an attribute or a value that they do not have.',
    ),
    blocksPrunedByTemplate: count(
      'Blocks ruled out, or counted without being read, by what their skip index says.',
    ),
    recordsScanned: count('Records whose columns were tried.'),
    bytesScanned: count('Bytes read for it.'),
    damagedFrames: count('If not 0, part of the data is damaged and the answer lacks it.'),
    damagedBlocks: count('As `damagedFrames`, of sealed data.'),
    elapsedMs: Type.Number({ minimum: 0, description: 'Milliseconds that it took.' }),
    asOf: Type.Optional(
      Type.Integer({
        description:
          'Where several front ends share a store: all that the others acknowledged before this time (ms since 1970) is in the answer, and of what they took since some may be missing. What was sent to the front end that answers is always all there. Absent where there is no other.',
      }),
    ),
  },
  { $id: 'Stats', description: 'What the answer cost.' },
)

export type SelectStats = Answer<typeof statsSchema>

export const labels = Type.Record(Type.String(), Type.String(), {
  description: 'The values of the labels that the query groups by.',
})

export const countGroupSchema = Type.Object(
  { labels, count: Type.Integer({ minimum: 0 }) },
  { $id: 'CountGroup', description: 'One group of a `count`.' },
)

export type AnswerGroup = Answer<typeof countGroupSchema>

const bucketSchema = Type.Object({
  start: timestamp,
  count: Type.Integer(),
  levels: Type.Record(Type.String(), Type.Integer(), {
    description: 'Counts by `log_level`; only levels that occur.',
  }),
})

export type HistogramBucket = Answer<typeof bucketSchema>

export const histogramSchema = Type.Object({
  bucketMs: Type.Integer({ description: 'Width of a bucket, milliseconds.' }),
  buckets: Type.Array(bucketSchema, {
    description: 'All buckets of the range in order, empty ones included, aligned to 1970.',
  }),
  stats: statsSchema,
})

export type HistogramResult = Answer<typeof histogramSchema>

export const fieldsSchema = Type.Object({
  fields: Type.Array(
    Type.Object({ name: Type.String(), count: count('Matching records that have it.') }),
    { description: 'By count, ties by name.' },
  ),
  stats: statsSchema,
})

export type FieldsResult = Answer<typeof fieldsSchema>

const valueCountsSchema = Type.Array(
  Type.Object(
    { value: Type.String(), count: count('Matching records that have it.') },
    { $id: 'ValueCount' },
  ),
  { description: 'Most frequent first, ties by value.' },
)

export const valuesSchema = Type.Object({
  values: valueCountsSchema,
  tooManyValues: Type.Optional(
    Type.Literal(true, {
      description: 'More values than are counted begin so: none is shown.',
    }),
  ),
  stats: statsSchema,
})

export type ValuesResult = Answer<typeof valuesSchema>

const number = (description: string) => Type.Number({ description })

const numericSchema = Type.Object(
  {
    unit: Type.Union([Type.Literal('number'), Type.Literal('duration'), Type.Literal('bytes')], {
      description: 'As what the values are read. Durations are in seconds.',
    }),
    count: count('Matching records whose value is a number.'),
    least: number('The smallest of them.'),
    greatest: number('The largest.'),
    quantiles: Type.Record(Type.String(), Type.Number(), {
      description: 'Of 0.5, 0.9, 0.95 and 0.99: exact, interpolated as PromQL does.',
    }),
    buckets: Type.Array(
      Type.Object({
        from: number('Inclusive.'),
        to: number('Exclusive.'),
        count: count('Matching records whose number lies there.'),
      }),
      { description: 'One beside the other, of round widths; growing where few are large.' },
    ),
  },
  { $id: 'NumericSummary', description: 'What its values write as numbers.' },
)

export type NumericSummary = Answer<typeof numericSchema>

const facetSchema = Type.Object({
  field: Type.String(),
  values: valueCountsSchema,
  others: count('Matching records that have another value.'),
  missing: count('Matching records without the field.'),
  tooManyValues: Type.Optional(
    Type.Literal(true, {
      description: 'There are more values than are counted: none is shown, all are `others`.',
    }),
  ),
  numeric: Type.Optional(numericSchema),
})

export type Facet = Answer<typeof facetSchema>

export const facetsSchema = Type.Object({ facets: Type.Array(facetSchema), stats: statsSchema })

export type FacetsResult = Answer<typeof facetsSchema>

/** Fewer neighbours than asked where there are no more, or where more would make the answer too large. */
export const contextSchema = Type.Object({
  before: Type.Array(recordSchema, { description: 'In order of time, the nearest last.' }),
  record: recordSchema,
  after: Type.Array(recordSchema, { description: 'In order of time, the nearest first.' }),
  stats: statsSchema,
})

export type ContextResult = Answer<typeof contextSchema>

const serviceSchema = Type.Object(
  {
    service: Type.String(),
    count: count('Records of it in the trace.'),
    errors: count('Of these, records of a level that is an error or worse.'),
    firstAt: timestamp,
    lastAt: timestamp,
  },
  { $id: 'TraceService', description: 'What one service had to do with a trace.' },
)

export const traceSchema = Type.Object({
  traceId: Type.String(),
  count: count('All records of the trace in the range, whatever `limit` is. Exact.'),
  startTime: Type.Optional(timestamp),
  endTime: Type.Optional(timestamp),
  records: Type.Array(recordSchema, {
    description: 'In order of time, ties in order of arrival.',
  }),
  services: Type.Array(serviceSchema, {
    description: 'Of all its records: in the order in which services come into it.',
  }),
  truncated: Type.Optional(Type.Literal(true, { description: 'There are more records.' })),
  nextCursor: Type.Optional(
    Type.String({ description: 'Then: send it as `cursor` for the next ones.' }),
  ),
  stats: statsSchema,
})

export type TraceResult = Answer<typeof traceSchema>
