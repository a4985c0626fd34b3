/** What `logstrata ship` says to people. */
import type { ComparedDay } from '../../store/clickhouse/move/day-counts.ts'
import type { MoveProgress, MoveReport, MoveSizes } from '../../store/clickhouse/move/move.ts'
import type { DamagedBlock } from '../../store/clickhouse/move/segment-rows.ts'
import { shareTexts } from '../import/progress.ts'
import { alignTable, byteText, numberText } from '../table.ts'
import type { ShipCommandOptions } from './options.ts'

/** What is moved, and how much room there is where it goes. */
export function beginText(
  { records, bytes, freeBytes }: MoveSizes,
  { direction, dataDir }: Pick<ShipCommandOptions, 'direction' | 'dataDir'>,
): string {
  const [from, to] = direction === 'to' ? [dataDir, 'ClickHouse'] : ['ClickHouse', dataDir]
  const what = `moving ${countText(records)}, ${byteText(bytes)} in ${from}, to ${to}`
  const free = freeBytes === undefined ? '' : `, where ${byteText(freeBytes)} are free`
  return `${what}${free}`
}

/** ` 45% █████████···········  1,234,567 of 2,000,000 records  97,300/s  0:42 left` */
export function progressText(progress: MoveProgress | undefined, elapsedMs: number): string {
  if (progress === undefined) return ''
  const { records, totalRecords, waitsFor } = progress
  const { bar, left } = shareTexts(totalRecords === 0 ? 0 : records / totalRecords, elapsedMs)
  const counts = `${numberText(records)} of ${countText(totalRecords)}`
  if (waitsFor !== undefined) return `${bar}  ${counts}  waiting: ${waitsFor}`
  return `${bar}  ${counts}${left}`
}

/** A line for each day, and what they are together. */
export function daysTable(days: readonly ComparedDay[]): string[] {
  const rows = days.map(({ day, segments, clickhouse }) => {
    return [day, numberText(segments), numberText(clickhouse), verdict(segments, clickhouse)]
  })
  const sum = (side: 'segments' | 'clickhouse') => days.reduce((total, day) => total + day[side], 0)
  const [segments, clickhouse] = [sum('segments'), sum('clickhouse')]
  const total = ['together', numberText(segments), numberText(clickhouse)]
  const titles = ['day (UTC):', 'segments', 'ClickHouse', ':']
  return alignTable(titles, [...rows, [...total, verdict(segments, clickhouse)]])
}

function verdict(segments: number, clickhouse: number): string {
  return segments === clickhouse ? 'agree' : 'DIFFER'
}

/** Which blocks were left out, one line each. */
export function damageTexts(
  damaged: readonly DamagedBlock[],
  { withoutDamaged }: Pick<ShipCommandOptions, 'withoutDamaged'>,
): string[] {
  const end = withoutDamaged ? 'its segment is in quarantine/' : 'its segment stays where it is'
  return damaged.map(({ path, offset, recordCount, reason }) => {
    const what = `${countText(recordCount)} of a block are not moved`
    return `${path}: ${what}, because it is damaged at ${offset}: ${reason}; ${end}`
  })
}

export function outcomeText(
  { outcome, records, damaged }: MoveReport,
  { direction, dataDir, keep, delete: isDeleted }: ShipCommandOptions,
  elapsedMs: number,
): string {
  const seconds = `${(elapsedMs / 1000).toFixed(1)} s`
  const store = direction === 'to' ? 'clickhouse' : 'local'
  switch (outcome) {
    case 'nothing':
      return `nothing to move: there are no records in ${direction === 'to' ? `segments of ${dataDir}` : 'ClickHouse'}`
    case 'interrupted':
      return 'interrupted: run it again for the rest; until then no service starts on the directory'
    case 'differs':
      return 'the counts differ, and nothing was removed: see that no other service sends to the same tables, and that nobody deletes there, and run it again'
    case 'damaged':
      return `all but ${countText(lost(damaged))} are in ClickHouse, and nothing was removed here: put whole copies of the segments back from a backup and run it again, or leave these records behind with --without-damaged`
    case 'moved': {
      const rest =
        direction === 'to'
          ? keep && '; the segments are kept: run it again without --keep to remove them'
          : !isDeleted && '; ClickHouse has them as well: nothing was deleted there'
      return `moved ${countText(records)} in ${seconds}${rest || ''}; start the service with --store ${store}`
    }
  }
}

function lost(damaged: readonly DamagedBlock[]): number {
  return damaged.reduce((sum, { recordCount }) => sum + recordCount, 0)
}

function countText(records: number): string {
  return records === 1 ? '1 record' : `${numberText(records)} records`
}
