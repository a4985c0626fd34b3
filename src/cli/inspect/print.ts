/** What `logstrata inspect` found, as text for people. */

import { alignTable } from '../table.ts'
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
    `segment ${number}, format ${format ?? 'unknown'}: ${grouped(bytes)} bytes, ${grouped(recordCount)} records in ${grouped(blocks.length)} blocks`,
    `made ${segment.createdAt}; group: ${list(segment.group)}; replaces journals: ${list(replaces.journals)}; segments: ${list(replaces.segments)}`,
  ]
  for (const [i, block] of blocks.entries()) {
    const levels = Object.entries(block.levels).map(([level, n]) => `${level} ${grouped(n)}`)
    const filter = block.filterBytes === null ? 'none' : `${grouped(block.filterBytes)} bytes`
    lines.push(
      '',
      `block ${i}: ${name(block.service)}, ${name(block.environment)}: ${grouped(block.recordCount)} records in ${grouped(block.bytes)} bytes at ${grouped(block.offset)}`,
      `  time      ${block.minTimestamp} to ${block.maxTimestamp}`,
      `  sequence  ${grouped(block.minSequence)} to ${grouped(block.maxSequence)}`,
      `  levels    ${levels.join(', ')}`,
      `  filter    ${filter}; directory ${grouped(block.directoryBytes)} bytes`,
      ...columnTable(block.columns).map(line => `  ${line}`),
    )
  }
  if (segment.skipIndexes.length > 0) lines.push('')
  let first = 0
  for (const { offset, bytes, laterBytes, blockCount } of segment.skipIndexes) {
    const last = first + blockCount - 1
    const told = blockCount === 1 ? `block ${first}` : `blocks ${first} to ${last}`
    lines.push(
      `skip index of ${told}: ${grouped(bytes)} bytes at ${grouped(offset)}, ${grouped(laterBytes)} of them templates and values`,
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
      grouped(column.valueCount),
      grouped(column.chunkCount),
      grouped(column.storedBytes),
      grouped(column.rawBytes),
      column.storedBytes === 0 ? '-' : (column.rawBytes / column.storedBytes).toFixed(1),
    ]),
  )
}

/** A journal file as text for people: its head, then a table of its frames. */
export function printJournal(journal: JournalDescription): string {
  const { path, number, bytes, recordCount, frames } = journal
  return [
    path,
    `journal file ${number}: ${grouped(bytes)} bytes, ${grouped(recordCount)} records in ${grouped(frames.length)} frames`,
    '',
    ...alignTable(
      ['offset', 'bytes', 'records', 'sequence', 'from:', 'to:', 'streams:'],
      frames.map(frame => [
        grouped(frame.offset),
        grouped(frame.bytes),
        grouped(frame.recordCount),
        grouped(frame.firstSequence),
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

function grouped(value: number): string {
  return value.toLocaleString('en-US')
}
