/** Answers in Loki's form. Large ones are sent as they are written, so that none holds up the others. */

import { type TSchema, Type } from 'typebox'
import type { SelectStats } from '../../../store/store.ts'
import { jsonReply, type Reply } from '../../reply/reply.ts'
import { gathered } from '../prometheus/series-text.ts'

/** What is said of an answer beside its data. */
export interface Notes {
  readonly warnings: readonly string[]
  /** What it cost; undefined when nothing was asked of the store. */
  readonly stats: SelectStats | undefined
}

export function successReply(data: unknown): Reply {
  return jsonReply({ status: 'success', data })
}

/** Of what `successReply` makes. */
export function successSchema(data: TSchema) {
  return Type.Object({ status: Type.Literal('success'), data })
}

const count = Type.Integer({ minimum: 0 })

const statsSchema = Type.Object(
  {
    summary: Type.Object(
      {
        execTime: Type.Number({ description: 'Seconds.' }),
        queueTime: Type.Number({ description: 'Seconds; 0 here: turns are not counted.' }),
        totalBytesProcessed: count,
        totalLinesProcessed: count,
        totalEntriesReturned: count,
        bytesProcessedPerSecond: count,
        linesProcessedPerSecond: count,
      },
      { description: 'Of what was read; what the index answered is not in it.' },
    ),
  },
  { $id: 'LokiStats', description: 'What the answer cost, as far as Loki has names for it.' },
)

/** Of what `resultReply` makes. */
export function resultSchema(...data: readonly { type: string; item: TSchema }[]) {
  const one = ({ type, item }: (typeof data)[number]) =>
    Type.Object({
      resultType: Type.Literal(type),
      ...(type === 'streams' && { encodingFlags: Type.Optional(Type.Array(Type.String())) }),
      result: Type.Array(item),
      stats: statsSchema,
    })
  const warnings = Type.Array(Type.String(), { description: 'What may make the answer wrong.' })
  return Type.Object({
    status: Type.Literal('success'),
    warnings: Type.Optional(warnings),
    data: data.length === 1 ? one(data[0]!) : Type.Union(data.map(one)),
  })
}

/** The result of a query. `pieces`: the text of its items, in parts, with all commas. */
export function resultReply(
  { type, encodingFlags = [] }: { type: string; encodingFlags?: readonly string[] },
  pieces: Iterable<string>,
  { warnings, stats }: Notes,
  entryCount = 0,
): Reply {
  const flags = encodingFlags.length > 0 ? `"encodingFlags":${JSON.stringify(encodingFlags)},` : ''
  const notes = warnings.length > 0 ? `"warnings":${JSON.stringify(warnings)},` : ''
  const begin = `{"status":"success",${notes}"data":{"resultType":"${type}",${flags}"result":[`
  const end = `],"stats":${JSON.stringify(shownStats(stats, entryCount))}}}`
  return { status: 200, contentType: 'application/json', stream: gathered(begin, pieces, end) }
}

function shownStats(stats: SelectStats | undefined, entryCount: number) {
  const { elapsedMs = 0, bytesScanned = 0, recordsScanned = 0 } = stats ?? {}
  const perSecond = (total: number) =>
    elapsedMs === 0 ? 0 : Math.round((total / elapsedMs) * 1000)
  return {
    summary: {
      execTime: elapsedMs / 1000,
      queueTime: 0,
      totalBytesProcessed: bytesScanned,
      totalLinesProcessed: recordsScanned,
      totalEntriesReturned: entryCount,
      bytesProcessedPerSecond: perSecond(bytesScanned),
      linesProcessedPerSecond: perSecond(recordsScanned),
    },
  }
}

/** What may be wrong with an answer of this cost. */
export function warningsOf(stats: SelectStats | undefined): string[] {
  const damagedCount = (stats?.damagedBlocks ?? 0) + (stats?.damagedFrames ?? 0)
  if (damagedCount === 0) return []
  return [`parts of the data are damaged and not in the answer: ${damagedCount}`]
}
