/**
 * What the machine gives to a process that does next to nothing, while others are at work:
 * `node bench/machine-share.ts FILE SECONDS`. Whatever a service does, it wakes and syncs no faster.
 *
 * Every 20 ms it wakes, writes 1 KiB to FILE and syncs it, in calls that nothing else waits for. Prints
 * one line of JSON, a `MachineShare`.
 */
import fs from 'node:fs'
import { percentile } from './table.ts'

export interface MachineShare {
  /** From when it should wake until it does. */
  readonly lateP50Ms: number
  readonly lateP99Ms: number
  /** From the write until the sync is done. */
  readonly syncP50Ms: number
  readonly syncP99Ms: number
}

const everyMs = 20

function takeShare(path: string, seconds: number): MachineShare {
  const never = new Int32Array(new SharedArrayBuffer(4))
  const bytes = Buffer.alloc(1024)
  const file = fs.openSync(path, 'w')
  const [late, syncs]: [number[], number[]] = [[], []]
  const startedAt = performance.now()
  for (let dueAt = startedAt; dueAt < startedAt + seconds * 1000; dueAt += everyMs) {
    const waitMs = dueAt - performance.now()
    if (waitMs > 0) {
      Atomics.wait(never, 0, 0, waitMs)
      late.push(performance.now() - dueAt)
    }
    const from = performance.now()
    fs.writeSync(file, bytes)
    fs.fdatasyncSync(file)
    syncs.push(performance.now() - from)
  }
  fs.closeSync(file)
  fs.rmSync(path)
  return {
    lateP50Ms: percentile(late, 50),
    lateP99Ms: percentile(late, 99),
    syncP50Ms: percentile(syncs, 50),
    syncP99Ms: percentile(syncs, 99),
  }
}

if (import.meta.main) {
  const [path, seconds] = process.argv.slice(2)
  process.stdout.write(`${JSON.stringify(takeShare(path!, Number(seconds)))}\n`)
}
