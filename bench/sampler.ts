/** Looks at a service's figures now and then, on a connection of its own, while something else runs. */
import { readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { readMemory } from './child.ts'
import { Client } from './client.ts'
import { readMetrics, type StoreMetrics } from './store-metrics.ts'

export interface Sample extends StoreMetrics {
  /** Since the sampler's start. */
  readonly seconds: number
  readonly residentBytes: number
  /** Open files and sockets. */
  readonly descriptors: number
  /** Files in the data directory. */
  readonly files: number
}

export interface Sampler {
  /** Takes a last sample and gives all of them, in order; at least two. */
  stop(): Promise<Sample[]>
}

export async function startSampler(
  service: { readonly pid: number; readonly baseUrl: string; readonly dataDir: string },
  intervalMs: number,
): Promise<Sampler> {
  const client = new Client(service.baseUrl)
  const samples: Sample[] = []
  const stopping = new AbortController()
  const startedAt = performance.now()
  const take = async () => {
    const figures = await readMetrics(client)
    const { residentBytes } = readMemory(service.pid)
    const descriptors = readdirSync(`/proc/${service.pid}/fd`).length
    const files = readdirSync(service.dataDir, { recursive: true }).length
    const seconds = (performance.now() - startedAt) / 1000
    samples.push({ ...figures, residentBytes, descriptors, files, seconds })
  }
  const takeInTurn = async () => {
    while (!stopping.signal.aborted) {
      await delay(intervalMs, undefined, { signal: stopping.signal }).catch(() => {})
      await take()
    }
  }
  await take()
  const ended = takeInTurn()
  return {
    stop: async () => {
      stopping.abort()
      await ended
      client.close()
      return samples
    },
  }
}
