/**
 * Entries as streams. In the plain form the labels of a stream are all that an entry has, as those of
 * Loki's clients expect that know nothing of structured metadata; under `categorize-labels` they are
 * the stream's own, and each entry brings its metadata along.
 */

import { Type } from 'typebox'
import type { LokiEntry, LokiLabels } from '../../../store/answer/loki-entry.ts'
import type { Reply } from '../../reply/reply.ts'
import { type Notes, resultReply } from './answers.ts'

const categorizeFlag = 'categorize-labels'

/** Whether a request asks for metadata apart; `flags`: its header, a list with commas. */
export function wantsCategories(flags: string): boolean {
  return flags.split(',').some(flag => flag.trim() === categorizeFlag)
}

export const labelsSchema = Type.Record(Type.String(), Type.String())

const timeSchema = Type.String({ description: 'Nanoseconds since 1970.' })

/** Loki has an array of two texts here, or of two texts and an object. */
const valueSchema = Type.Array(
  Type.Union([
    timeSchema,
    Type.Object({
      structuredMetadata: Type.Optional(labelsSchema),
      parsed: Type.Optional(labelsSchema),
    }),
  ]),
  {
    minItems: 2,
    maxItems: 3,
    description:
      'Time, line, and under `categorize-labels` an object with the metadata and what was parsed.',
  },
)

export const streamsItem = {
  type: 'streams',
  item: Type.Object({ stream: labelsSchema, values: Type.Array(valueSchema) }),
} as const

/** Each stream once, its entries in the order in which they are given. */
export function streamsReply(
  entries: readonly LokiEntry[],
  { isCategorized, ...notes }: Notes & { readonly isCategorized: boolean },
): Reply {
  const encodingFlags = isCategorized ? [categorizeFlag] : []
  const pieces = piecesOf(entries, isCategorized)
  return resultReply({ type: 'streams', encodingFlags }, pieces, notes, entries.length)
}

function* piecesOf(entries: readonly LokiEntry[], isCategorized: boolean): Generator<string> {
  const labelsOf = isCategorized ? ({ stream }: LokiEntry) => stream : allLabels
  const streams = Map.groupBy(entries, entry => JSON.stringify(labelsOf(entry)))
  let separator = ''
  for (const [labels, ofStream] of streams) {
    yield `${separator}{"stream":${labels},"values":[`
    separator = ''
    for (const entry of ofStream) {
      yield separator + valueText(entry, isCategorized)
      separator = ','
    }
    yield ']}'
  }
}

/** The names in order, so that the same labels make the same stream whatever the order of fields. */
function allLabels({ stream, metadata, parsed }: LokiEntry): LokiLabels {
  const all = Object.entries({ ...stream, ...metadata, ...parsed })
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function valueText({ time, line, metadata, parsed }: LokiEntry, isCategorized: boolean): string {
  const categories = {
    structuredMetadata: metadata,
    ...(Object.keys(parsed).length > 0 && { parsed }),
  }
  const apart = isCategorized ? `,${JSON.stringify(categories)}` : ''
  return `["${time}",${JSON.stringify(line)}${apart}]`
}
