/** What Linux says of a process's memory. */
import fs from 'node:fs'

/** The most that a process has had in memory so far, in bytes. */
export function peakBytes(pid: number): number {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) * 1024
}
