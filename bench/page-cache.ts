/** Makes the machine forget the files that it holds in memory, for cold measurements. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

/** Needs root on Linux; says whether it was possible. */
export function dropPageCache(): boolean {
  spawnSync('sync') // Pages that are not on disk yet would stay.
  try {
    writeFileSync('/proc/sys/vm/drop_caches', '3')
    return true
  } catch {
    return false
  }
}
