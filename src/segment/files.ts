/**
 * Where segments lie: `segments/<UTC day>/<number>.seg`, one folder a day.
 *
 * The names of the folders sort as their days do, whatever the year, and consist of digits, `-`
 * and `_` only, so that no timestamp of an event can lead out of the directory:
 *
 *     2026-11-20          years 0 to 9999
 *     0-728179-04-20      years before 0, counted from -1,000,000 on; sorts before 0000-01-01
 *     9_275760-09-13      years after 9999; sorts after 9999-12-31
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { realDisk } from '../disk/real-disk.ts'
import type { Timestamp } from '../record.ts'

const dayPattern = /^(?:\d{4}|0-\d{6}|9_\d{6})-\d{2}-\d{2}$/
const segmentPattern = /^(\d{8,})\.seg$/
const unfinishedPattern = /^\d{8,}\.seg\.tmp$/

/** A year that has no earlier one: the earliest Timestamp lies in the year -271821. */
const earlyYearsFrom = -1_000_000

/** The UTC day of a timestamp, as the name of its folder. */
export function dayOf(timestamp: Timestamp): string {
  // "2026-11-20T…", "-271821-04-20T…" or "+275760-09-13T…".
  const iso = new Date(timestamp).toISOString()
  const end = iso.indexOf('T')
  if (iso.startsWith('+')) return `9_${iso.slice(1, end)}`
  if (!iso.startsWith('-')) return iso.slice(0, end)
  const year = Number(iso.slice(0, end - 6)) - earlyYearsFrom
  return `0-${String(year).padStart(6, '0')}${iso.slice(end - 6, end)}`
}

/** The path of segment `number`, which holds records of the UTC day `day` (from `dayOf`) only. */
export function segmentPath(directory: string, day: string, number: number): string {
  assert(dayPattern.test(day), 'a day names a folder')
  return join(directory, day, `${String(number).padStart(8, '0')}.seg`)
}

/** The number that the name of a file claims, or undefined when it is no segment's name. */
export function segmentNumberIn(fileName: string): number | undefined {
  const match = segmentPattern.exec(fileName)
  return match === null ? undefined : Number(match[1])
}

/** What the name of a file is while it is written; it is renamed once it is whole and on disk. */
export function unfinishedPath(path: string): string {
  return `${path}.tmp`
}

export interface SegmentPlace {
  readonly path: string
  readonly day: string
  readonly number: number
}

/** All segments below a directory, by day and number. Other names are left alone. */
export function listSegments(directory: string, disk: Disk = realDisk): SegmentPlace[] {
  const places: SegmentPlace[] = []
  for (const { day, name } of filesByDay(directory, disk)) {
    const number = segmentNumberIn(name)
    if (number !== undefined) places.push({ path: join(directory, day, name), day, number })
  }
  return places.sort((a, b) => (a.day === b.day ? a.number - b.number : a.day < b.day ? -1 : 1))
}

/** Paths of files that a process did not live to finish: nothing counts on them. */
export function listUnfinishedSegments(directory: string, disk: Disk = realDisk): string[] {
  return filesByDay(directory, disk)
    .filter(({ name }) => unfinishedPattern.test(name))
    .map(({ day, name }) => join(directory, day, name))
}

function filesByDay(directory: string, disk: Disk): { day: string; name: string }[] {
  return readNames(directory, disk)
    .filter(day => dayPattern.test(day))
    .flatMap(day => readNames(join(directory, day), disk).map(name => ({ day, name })))
}

/** Names in a directory; none when it does not exist or is a file. */
function readNames(directory: string, disk: Disk): string[] {
  try {
    return disk.listSync(directory)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}
