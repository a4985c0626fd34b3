/**
 * What a collector is filled from: batches and blocks of arbitrary records, with their index entries; and
 * the filling itself, in any split over threads.
 */
import fc from 'fast-check'
import type { RecordColumns } from '../../src/columns/record-columns.ts'
import type { IndexEntry } from '../../src/index/entry.ts'
import { Batch } from '../../src/journal/batch-reader.ts'
import { BatchWriter } from '../../src/journal/batch-writer.ts'
import { everyRecord, type Selector } from '../../src/language/ast.ts'
import { type Collector, newCollector } from '../../src/query/collect/collector.ts'
import { Predicate } from '../../src/query/predicate.ts'
import { type StreamRecord, sealedBlocks } from '../segment/sealed.ts'
import { arbitraryRecord, arbitrarySelector, arbitraryStream, matchesPlainly } from './plain.ts'

/** A batch or a block. */
export interface Part {
  readonly records: readonly StreamRecord[]
  readonly columns: RecordColumns
  readonly entries: readonly IndexEntry[]
}

/** A part, and how it comes into a collector. */
export interface UsedPart {
  readonly part: Part
  readonly way: 'directly' | 'through a thread' | 'from the index'
}

const arbitraryStreamRecord: fc.Arbitrary<StreamRecord> = fc
  .tuple(arbitraryRecord, arbitraryStream, fc.integer({ min: 0, max: 60 }))
  .map(([record, stream, timestamp]) => ({ ...record, timestamp, stream }))

/** Eight batches of 40 records, and the blocks of eight more, written in `directory`. */
export function makeParts(directory: string, ofRecord = arbitraryStreamRecord): Part[] {
  const length = 40
  const lists = fc.sample(fc.array(ofRecord, { minLength: length, maxLength: length }), {
    numRuns: 16,
    seed: 42,
  })
  const batches = lists.slice(0, 8).map(records => {
    const batch = batchOf(records)
    return { records, columns: batch, entries: entriesOf(batch) }
  })
  const blocks = lists.slice(8).flatMap((records, i) => blocksOf(records, directory, i + 1))
  // Short names, because a counterexample would print all records of its parts.
  return [...batches, ...blocks].map((part, i) => ({ ...part, [fc.toStringMethod]: () => `#${i}` }))
}

export const arbitraryUse = (parts: readonly Part[]): fc.Arbitrary<UsedPart[]> =>
  fc.array(
    fc.record({
      part: fc.constantFrom(...parts),
      way: fc.constantFrom('directly', 'through a thread', 'from the index'),
    }),
    { maxLength: 8, size: 'max' },
  )

export interface Asked {
  readonly selector: Selector
  readonly startTime: number
  readonly endTime: number
}

/** About half of the time, all records of the range. */
export const arbitraryAsked: fc.Arbitrary<Asked> = fc
  .tuple(
    fc.oneof(fc.constant(everyRecord), arbitrarySelector),
    fc.integer({ min: -5, max: 20 }),
    fc.oneof(fc.nat(40), fc.constant(70)),
  )
  .map(([selector, startTime, length]) => ({ selector, startTime, endTime: startTime + length }))

/** The records that are asked for, found in the plainest way. */
export function matching(used: readonly UsedPart[], asked: Asked): StreamRecord[] {
  const { selector, startTime, endTime } = asked
  return used
    .flatMap(({ part }) => part.records)
    .filter(({ timestamp }) => startTime <= timestamp && timestamp <= endTime)
    .filter(record => matchesPlainly(selector, record, record.stream))
}

/** Fills a collector from parts, each in its way. */
export function fill(collector: Collector, used: readonly UsedPart[], asked: Asked): void {
  const { selector, startTime, endTime } = asked
  const predicate = new Predicate(selector)
  const isInside = ({ minTimestamp, maxTimestamp }: IndexEntry) =>
    startTime <= minTimestamp && maxTimestamp <= endTime
  for (const { part, way } of used) {
    const isDecided =
      predicate.needsOnlyIndex &&
      part.entries.every(entry => isInside(entry) && collector.takesEntry?.(entry))
    if (way === 'from the index' && isDecided) {
      for (const entry of part.entries) {
        if (!predicate.matchesStream(entry.stream)) continue
        collector.addEntry!(entry, {
          matchesLevel: level => predicate.matchesLevel(level, entry.stream),
        })
      }
      continue
    }
    const target = way === 'through a thread' ? newCollector(collector.request) : collector
    const selected = predicate.select(part.columns, startTime, endTime, { isStagedNext: true })
    if (selected !== undefined) target.add(predicate.staged(part.columns, selected), selected)
    if (target !== collector) collector.addPlain(structuredClone(target.toPlain()))
  }
}

/** The sequence of the first record is `firstSequence`. */
export function batchOf(records: readonly StreamRecord[], firstSequence = 1): Batch {
  const writer = new BatchWriter()
  const streams = new Map(records.map(record => [streamKey(record), record.stream]))
  for (const record of records) writer.add(record, streams.get(streamKey(record))!)
  const { payload, recordCount, minTimestamp, maxTimestamp } = writer.encode()
  const payloadBytes = payload.length
  const header = { payloadBytes, recordCount, firstSequence, minTimestamp, maxTimestamp }
  return new Batch({ header, payload })
}

function streamKey({ stream }: StreamRecord): string {
  return `${stream.service} ${stream.environment}`
}

/** Seals records in segment `number`; the file stays open until the process ends. */
function blocksOf(records: readonly StreamRecord[], directory: string, number: number): Part[] {
  const lists = [...Map.groupBy(records, streamKey).values()]
  const { columns } = sealedBlocks(directory, lists, number)
  return columns.map((block, i) => ({
    records: lists[i]!,
    columns: block,
    entries: entriesOf(batchOf(lists[i]!)),
  }))
}

function entriesOf(batch: Batch): IndexEntry[] {
  const source = { kind: 'journal', file: 1, offset: 0, bytes: 1 } as const
  return batch.summarise().map(({ service, environment, levelCounts, ...summary }) => ({
    ...summary,
    stream: { service, environment },
    levelCounts: [...levelCounts].flat(),
    source,
  }))
}
