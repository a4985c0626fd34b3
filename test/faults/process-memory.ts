/** What Linux says of a process's memory. */
import fs from 'node:fs'

/** The most that a process has had in memory so far, in bytes. */
export function peakBytes(pid: number): number {
  return readBytes(pid, 'VmHWM')
}

/** What a process has in memory now, in bytes. */
export function residentBytes(pid: number): number {
  return readBytes(pid, 'VmRSS')
}

function readBytes(pid: number, name: string): number {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)![1]) * 1024
}
