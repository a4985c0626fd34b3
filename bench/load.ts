/**
 * The load generator for single events: `wrk` with `load.lua`, one thread, keep-alive connections, a
 * ring of prebuilt requests. It reaches the bare handler's rate (see the table of `ingest.ts`, which
 * shows its CPU beside the server's), so it is not what limits the service.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { readCpuSeconds, readEndedChildrenCpuSeconds } from './child.ts'
import { makeRecords } from './records.ts'

export interface LoadResult {
  readonly requests: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Cores in use on average, such as 0.93. */
  readonly serverCores: number
  readonly generatorCores: number
}

interface WrkSummary {
  readonly requests: number
  readonly durationUs: number
  readonly p50Us: number
  readonly p99Us: number
  readonly statusErrors: number
  readonly socketErrors: number
}

const scriptPath = fileURLToPath(new URL('./load.lua', import.meta.url))
const ringEvents = 1_000

/** Writes the ring of events to `path`, each under its stream's token where there is one. */
export async function writeRing(
  path: string,
  seed: number,
  tokens: readonly string[],
  {
    events = ringEvents,
    change = json => json,
  }: {
    /** Different ones, which are sent round and round. */
    readonly events?: number
    /** What is sent in the place of a record's JSON. */
    readonly change?: (json: string) => string
  } = {},
) {
  let lines = ''
  let bytes = 0
  for (const record of makeRecords({ seed, count: events })) {
    const json = change(record.json)
    lines += `${tokens[record.stream] ?? 'none'}\t${json}\n`
    bytes += Buffer.byteLength(json)
  }
  await writeFile(path, lines)
  return { meanEventBytes: bytes / events }
}

/** Throws when an answer was not 2xx, a connection failed, or wrk is not there. */
export async function runLoad(options: {
  readonly server: { readonly pid: number; readonly baseUrl: string }
  readonly ringPath: string
  readonly connections: number
  readonly seconds: number
}): Promise<LoadResult> {
  const { server, ringPath, connections, seconds } = options
  const serverBefore = readCpuSeconds(server.pid)
  const generatorBefore = readEndedChildrenCpuSeconds()

  const flags = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', scriptPath]
  const summary = await runWrk([...flags, server.baseUrl, '--', ringPath])

  const measuredSeconds = summary.durationUs / 1e6
  if (summary.statusErrors > 0 || summary.socketErrors > 0) {
    throw new Error(
      `load failed: ${summary.statusErrors} answers not 2xx, ${summary.socketErrors} socket errors`,
    )
  }
  return {
    requests: summary.requests,
    perSecond: summary.requests / measuredSeconds,
    p50Ms: summary.p50Us / 1000,
    p99Ms: summary.p99Us / 1000,
    serverCores: (readCpuSeconds(server.pid) - serverBefore) / measuredSeconds,
    generatorCores: (readEndedChildrenCpuSeconds() - generatorBefore) / measuredSeconds,
  }
}

async function runWrk(argv: readonly string[]): Promise<WrkSummary> {
  const wrk = spawn('wrk', argv, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output, [code]] = await Promise.all([text(wrk.stdout), once(wrk, 'close')]).catch(
    (cause: unknown) => {
      throw new Error('run wrk, the load generator (apt-get install wrk)', { cause })
    },
  )
  const json = output.split('\n').findLast(line => line.startsWith('{'))
  if (code !== 0 || json === undefined) {
    throw new Error(`wrk ended with ${code}: ${output}`)
  }
  return JSON.parse(json) as WrkSummary
}
