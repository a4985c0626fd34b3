/**
 * Opens what an encoder gave as a segment's reader does: the description has been through msgpack,
 * and only chunks that exist may be asked for.
 */
import assert from 'node:assert/strict'
import { Packr } from 'msgpackr'
import type { ChunkSource, EncodedColumn, SearchableColumn } from '../../src/columns/column.ts'
import { openColumn } from '../../src/columns/open.ts'
import { type Condition, conditionOfFilter, conditionOfMatcher } from '../../src/match/condition.ts'

const packr = new Packr({ useRecords: false })

export function throughMsgpack(meta: unknown): unknown {
  return packr.unpack(packr.pack(meta))
}

/** The chunks of a column; `asked` collects the numbers of those that were asked for. */
export function chunksOf(encoded: EncodedColumn, asked: number[] = []): ChunkSource {
  return index => {
    const chunk = encoded.chunks[index]
    assert.ok(chunk !== undefined, `asks for chunk ${index} of ${encoded.chunks.length}`)
    asked.push(index)
    return Buffer.from(chunk)
  }
}

export function reopen(
  encoded: EncodedColumn,
  valueCount: number,
  asked: number[] = [],
): SearchableColumn {
  const meta = throughMsgpack(encoded.meta)
  return openColumn(encoded.encoding, meta, valueCount, chunksOf(encoded, asked))
}

export const equals = (value: string): Condition => conditionOfMatcher({ operator: '=', value })
export const contains = (text: string): Condition => conditionOfFilter({ operator: '|=', text })
export const matches = (value: string): Condition => conditionOfMatcher({ operator: '=~', value })

/** The numbers of the values that pass the condition. */
export function findIn(column: SearchableColumn, condition: Condition): number[] {
  const hits = new Uint8Array(column.valueCount)
  column.markHits(condition, hits, undefined)
  return [...hits.keys()].filter(i => hits[i] === 1)
}
