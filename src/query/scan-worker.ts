/** The entry point of a scan thread (Piscina calls these by name). See `scan.ts`. */
import { limits } from '../limits.ts'
import { rebuildRecords, type ScanResult, type ScanTask, scanRanges } from './scan.ts'

export function scan(task: ScanTask): ScanResult {
  return scanRanges(task, limits.queryGroupsMax)
}

export { rebuildRecords as rebuild }
