/** Preloaded into a service: on SIGUSR2 it writes how late its event loop was to the file LOOP_DELAY. */
import fs from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'
import type { LoopDelay } from './loop-delay.ts'

const path = process.env.LOOP_DELAY
if (path === undefined) throw new Error('LOOP_DELAY names the file that the delays are written to')

/** How often it is looked, ms; it is part of each measured time. */
const resolution = 2

if (isMainThread) {
  const delays = monitorEventLoopDelay({ resolution })
  delays.enable()
  const lateMs = (ns: number) => Math.max(0, ns / 1e6 - resolution)
  process.on('SIGUSR2', () => {
    const { max } = delays
    const [p99, p999] = [delays.percentile(99), delays.percentile(99.9)]
    const found: LoopDelay = { p99: lateMs(p99), p999: lateMs(p999), max: lateMs(max) }
    fs.writeFileSync(`${path}.tmp`, JSON.stringify(found))
    fs.renameSync(`${path}.tmp`, path)
    delays.reset()
  })
}
