/**
 * One event per request: the service in one durability against bare servers, each run alone on the
 * machine, on a fresh data directory, after a second of warm-up.
 */
import { fileURLToPath } from 'node:url'
import { startServer } from './child.ts'
import { type LoadResult, runLoad } from './load.ts'
import { type BenchService, benchDataDir, type Durability, startService } from './service.ts'

export interface SingleRun {
  readonly ringPath: string
  readonly connections: number
  readonly seconds: number
}

/** Makes the ring for the given tokens before the load begins. */
export type PrepareRing = (ringPath: string, tokens: readonly string[]) => Promise<void>

const barePath = fileURLToPath(new URL('./bare.ts', import.meta.url))
const warmUpSeconds = 1

export async function runBare(mode: 'read' | 'parse', run: SingleRun): Promise<LoadResult> {
  const server = await startServer([barePath, mode])
  await runLoad({ ...run, server, seconds: warmUpSeconds })
  const result = await runLoad({ ...run, server })
  await server.stop()
  return result
}

export async function runSingle(
  durability: Durability,
  run: Omit<SingleRun, 'ringPath'>,
  prepareRing: PrepareRing,
): Promise<LoadResult> {
  const service = await startService({ name: 'ingest', durability, data: 'fresh' })
  const ringPath = `${benchDataDir}ring-tokens.tsv`
  await prepareRing(ringPath, await service.makeTokens())

  const load = { ...run, server: service, ringPath }
  const warmUp = await runLoad({ ...load, seconds: warmUpSeconds })
  const result = await runLoad(load)
  await checkStored(service, warmUp.requests + result.requests, 2 * run.connections)
  await service.stop()
  return result
}

/**
 * Every acknowledged event must be found. When wrk stops, it cuts off at most one request on each
 * connection; such an event may be stored although nobody waited for its acknowledgement.
 */
async function checkStored(service: BenchService, acknowledged: number, cutOffMax: number) {
  const { count } = await service.query('count(logs)')
  if (count < acknowledged || count > acknowledged + cutOffMax) {
    throw new Error(`${acknowledged} events were acknowledged, but count(logs) is ${count}`)
  }
}
