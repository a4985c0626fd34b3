/**
 * How late a service's event loop is, measured inside of its process and asked from outside. Its
 * `/metrics` have no 99.9th percentile and count their own resolution of 10 ms as delay.
 */
import fs from 'node:fs'
import { pathToFileURL } from 'node:url'

/** Times by which the loop came late, ms. */
export interface LoopDelay {
  readonly p99: number
  readonly p999: number
  readonly max: number
}

/** What a service must be started with, so that it writes its delays to this file when asked. */
export function loopDelayEnvironment(path: string): Record<string, string> {
  const preload = pathToFileURL(`${import.meta.dirname}/loop-delay-preload.ts`).href
  return { LOOP_DELAY: path, NODE_OPTIONS: `--no-warnings --import=${preload}` }
}

/** The delays since it was asked last, by the process with this id. */
export async function loopDelay(pid: number, path: string): Promise<LoopDelay> {
  fs.rmSync(path, { force: true })
  process.kill(pid, 'SIGUSR2')
  while (!fs.existsSync(path)) await new Promise(resolve => setTimeout(resolve, 5))
  return JSON.parse(fs.readFileSync(path, 'utf8'))
}
