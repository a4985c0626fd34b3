/** `logstrata inspect --records`: the records of a file, each as a line of JSON. */
import type { RecordColumns } from '../../columns/record-columns.ts'
import { streamLabels } from '../../record.ts'
import { SegmentCorrupt } from '../../segment/segment-error.ts'
import type { Fault } from './file.ts'
import { batchesOfJournal } from './journal.ts'
import { blocksOfSegment } from './segment.ts'

/** The records of all parts of a file that can be read, in its own order; `faults` takes the rest. */
export function* recordLines(
  path: string,
  kind: 'segment' | 'journal',
  faults: Fault[],
): Generator<string> {
  const parts: Generator<RecordColumns> =
    kind === 'segment' ? blocksOfSegment(path, faults) : batchesOfJournal(path, faults)
  for (const columns of parts) {
    try {
      for (let row = 0; row < columns.recordCount; row++) yield recordLine(columns, row)
    } catch (error) {
      if (!(error instanceof SegmentCorrupt)) throw error
      faults.push({ offset: error.offset, what: error.what })
    }
  }
}

function recordLine(columns: RecordColumns, row: number): string {
  const { timestamp, level, message, attributes } = columns.record(row)
  const stream = columns.streams[columns.streamCodes[row]!]!
  // No prototype: an attribute may have any name.
  const named: Record<string, string> = Object.create(null)
  named[streamLabels.service] = stream.service
  named[streamLabels.environment] = stream.environment
  for (let i = 0; i < attributes.length; i += 2) named[attributes[i]!] = attributes[i + 1]!
  const sequence = columns.sequence(row)
  return JSON.stringify({ timestamp, sequence, log_level: level, message, attributes: named })
}
