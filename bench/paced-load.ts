/** Runs the sender that keeps to a schedule (`paced.ts`) in a process of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { readCpuSeconds, readEndedChildrenCpuSeconds } from './child.ts'
import type { PacedSummary } from './paced.ts'

export interface PacedResult extends PacedSummary {
  /** Cores in use on average, such as 0.93. */
  readonly serverCores: number
  readonly generatorCores: number
}

const scriptPath = fileURLToPath(new URL('./paced.ts', import.meta.url))

/** Throws when an event was not acknowledged. */
export async function runPaced(options: {
  readonly server: { readonly pid: number; readonly baseUrl: string }
  readonly ringPath: string
  readonly connections: number
  readonly perSecond: number
  readonly seconds: number
}): Promise<PacedResult> {
  const { server, ringPath, connections, perSecond, seconds } = options
  const serverBefore = readCpuSeconds(server.pid)
  const generatorBefore = readEndedChildrenCpuSeconds()

  const argv = [scriptPath, server.baseUrl, ringPath, connections, perSecond, seconds].map(String)
  const sender = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output, [code]] = await Promise.all([text(sender.stdout), once(sender, 'close')])
  if (code !== 0) throw new Error(`the sender ended with ${code}`)

  const summary = JSON.parse(output) as PacedSummary
  return {
    ...summary,
    serverCores: (readCpuSeconds(server.pid) - serverBefore) / summary.seconds,
    generatorCores: (readEndedChildrenCpuSeconds() - generatorBefore) / summary.seconds,
  }
}
