/** What many answers hold: a record, a time, what the answer cost. */

import { Type } from 'typebox'
import type { AnswerRecord, SelectStats } from '../../store/store.ts'
import { schemaOf } from './schema-of.ts'

export const timestamp = Type.Integer({ description: 'Milliseconds since 1970, UTC.' })

/** A time, or null for none. */
export const orNever = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description })

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const recordSchema = schemaOf<AnswerRecord>()(
  Type.Object(
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
  ),
)

export const statsSchema = schemaOf<SelectStats>()(
  Type.Object(
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
    },
    { $id: 'Stats', description: 'What the answer cost.' },
  ),
)
