/**
 * Preloaded into a service: a thread that comes to a call which a file names dies of what the file says,
 * once. The file holds such as `readSync exit`; it is removed by whoever dies.
 */
import fs from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const path = process.env.DYING_WORKERS
if (path === undefined) throw new Error('DYING_WORKERS names the file that says who dies of what')

if (!isMainThread) {
  const { readSync, fdatasyncSync } = fs
  const { transfer } = ArrayBuffer.prototype
  fs.readSync = ((...given: Parameters<typeof readSync>) => {
    perhapsDie('readSync')
    return readSync(...given)
  }) as typeof readSync
  fs.fdatasyncSync = fd => {
    perhapsDie('fdatasyncSync')
    fdatasyncSync(fd)
  }
  // With which an ingest thread lets go of the body that it has read.
  ArrayBuffer.prototype.transfer = function (this: ArrayBuffer, length?: number) {
    perhapsDie('transfer')
    return transfer.call(this, length)
  }
}

function perhapsDie(call: string): void {
  let order: string
  try {
    order = fs.readFileSync(path!, 'utf8')
    if (!order.startsWith(`${call} `)) return
    fs.unlinkSync(path!) // Whoever removes it dies.
  } catch {
    return
  }
  const cause = order.split(' ')[1]
  if (cause === 'exit') process.exit(1)
  if (cause === 'throw') throw new Error('a worker threw')
  const hoard: string[][] = []
  for (;;) hoard.push(Array.from({ length: 1_000 }, (_, i) => `${hoard.length} ${i}`))
}
