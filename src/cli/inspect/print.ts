/** What `logstrata inspect` found, as text for people. */

import { alignTable, numberText } from '../table.ts'
import type { Fault } from './file.ts'
import type { JournalDescription } from './journal.ts'
import type { SegmentDescription } from './segment.ts'

/** Streams named for one frame; a frame may have thousands. */
const streamsShown = 3

/** A segment as text for people: its head, then tables of blocks, columns and skip indexes. */
export function printSegment(segment: SegmentDescription): string {
  const { path, number, format, bytes, recordCount, blocks, replaces } = segment
  const lines = [
    path,
    `segment ${number}, format ${format ?? 'unknown'}: ${numberText(bytes)} bytes, ${numberText(recordCount)} records in ${numberText(blocks.length)} blocks`,
    `made ${segment.createdAt}; group: ${list(segment.group)}; replaces journals: ${list(replaces.journals)}; segments: ${list(replaces.segments)}`,
  ]
  for (const [i, block] of blocks.entries()) {
    const levels = Object.entries(block.levels).map(([level, n]) => `${level} ${numberText(n)}`)
    const filter = block.filterBytes === null ? 'none' : `${numberText(block.filterBytes)} bytes`
    lines.push(
      '',
      `block ${i}: ${name(block.service)}, ${name(block.environment)}: ${numberText(block.recordCount)} records in ${numberText(block.bytes)} bytes at ${numberText(block.offset)}`,
      `  time      ${block.minTimestamp} to ${block.maxTimestamp}`,
      `  sequence  ${numberText(block.minSequence)} to ${numberText(block.maxSequence)}`,
      `  levels    ${levels.join(', ')}`,
      `  filter    ${filter}; directory ${numberText(block.directoryBytes)} bytes`,
      ...columnTable(block.columns).map(line => `  ${line}`),
    )
  }
  if (segment.skipIndexes.length > 0) lines.push('')
  let first = 0
  for (const { offset, bytes, laterBytes, blockCount } of segment.skipIndexes) {
    const last = first + blockCount - 1
    const told = blockCount === 1 ? `block ${first}` : `blocks ${first} to ${last}`
    lines.push(
      `skip index of ${told}: ${numberText(bytes)} bytes at ${numberText(offset)}, ${numberText(laterBytes)} of them templates, values, patterns and digits`,
    )
    first = last + 1
  }
  return [...lines, ...printFaults(segment.faults), ''].join('\n')
}

function columnTable(columns: SegmentDescription['blocks'][0]['columns']): string[] {
  if (columns.length === 0) return []
  return alignTable(
    ['column:', 'role:', 'encoding:', 'values', 'chunks', 'stored', 'raw', 'raw/stored'],
    columns.map(column => [
      name(column.name),
      column.role,
      column.encoding,
      numberText(column.valueCount),
      numberText(column.chunkCount),
      numberText(column.storedBytes),
      numberText(column.rawBytes),
      column.storedBytes === 0 ? '-' : (column.rawBytes / column.storedBytes).toFixed(1),
    ]),
  )
}

/** A journal file as text for people: its head, then a table of its frames. */
export function printJournal(journal: JournalDescription): string {
  const { path, number, bytes, recordCount, frames } = journal
  return [
    path,
    `journal file ${number}: ${numberText(bytes)} bytes, ${numberText(recordCount)} records in ${numberText(frames.length)} frames`,
    '',
    ...alignTable(
      ['offset', 'bytes', 'records', 'sequence', 'from:', 'to:', 'streams:'],
      frames.map(frame => [
        numberText(frame.offset),
        numberText(frame.bytes),
        numberText(frame.recordCount),
        numberText(frame.firstSequence),
        frame.minTimestamp,
        frame.maxTimestamp,
        streamList(frame.streams),
      ]),
    ),
    ...printFaults(journal.faults),
    '',
  ].join('\n')
}

function streamList(streams: JournalDescription['frames'][0]['streams']): string {
  const shown = streams
    .slice(0, streamsShown)
    .map(
      ({ service, environment, recordCount: n }) => `${name(service)}, ${name(environment)}: ${n}`,
    )
  const rest = streams.length - shown.length
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ')
}

function printFaults(faults: readonly Fault[]): string[] {
  return faults.length === 0
    ? []
    : ['', ...faults.map(({ offset, what }) => `FAULT at ${offset}: ${what}`)]
}

/** A name that anybody may have chosen: in quotes unless it is plainly a word. */
function name(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : JSON.stringify(text)
}

function list(numbers: readonly number[]): string {
  return numbers.length === 0 ? 'none' : numbers.join(', ')
}
