/**
 * The real service under a benchmark: as `npm start` runs it, as a child process, its tokens, its queries.
 */
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type ServerChild, startServer } from './child.ts'
import { Client } from './client.ts'
import { launcher } from './launcher.ts'
import { type MadeStream, streams } from './streams.ts'

export type Durability = 'disk' | 'written'

export interface BenchService extends ServerChild {
  /** One connection: a request waits for the one before it. */
  readonly client: Client
  readonly dataDir: string
  /** Makes one ingestion token for each of `streams`, in their order. */
  makeTokens(): Promise<string[]>
  /** Answers the query over all times. */
  query(query: string, options?: QueryOptions): Promise<QueryAnswer>
  histogram(query: string, options: HistogramOptions): Promise<HistogramAnswer>
  /** Asks Prometheus' API for a range; times and step in seconds. */
  range(query: string, range: { start: number; end: number; step: number }): Promise<RangeSeries[]>
  /** Asks another operation of `/api/v1/query/logs/`. */
  ask<T>(operation: string, body: object): Promise<T>
}

/** A series as Prometheus' API returns it: times in seconds, values as text. */
export interface RangeSeries {
  readonly metric: Readonly<Record<string, string>>
  readonly values: readonly (readonly [seconds: number, value: string])[]
}

export interface QueryOptions {
  readonly startTime?: number
  readonly endTime?: number
  readonly limit?: number
  readonly order?: 'asc' | 'desc'
}

export interface QueryAnswer {
  readonly count: number
  readonly logs: readonly { readonly timestamp: number; readonly message: string }[]
  readonly groups?: readonly {
    readonly labels: Readonly<Record<string, string>>
    readonly count: number
  }[]
}

export interface HistogramOptions {
  readonly startTime: number
  readonly endTime: number
  readonly bucketMs: number
}

export interface HistogramAnswer {
  readonly bucketMs: number
  readonly buckets: readonly {
    readonly start: number
    readonly count: number
    readonly levels: Readonly<Record<string, number>>
  }[]
}

/** Data directories of benchmarks; git ignores it. */
export const benchDataDir = fileURLToPath(new URL('./.data/', import.meta.url))
export const adminKey = 'bench-admin-key-0123456789abcdefghijklmnop'
export const allTimes = { startTime: 0, endTime: Date.UTC(2100, 0) }

/** Starts on the data that lies in `bench/.data/NAME`; `fresh` first removes it. */
export async function startService(options: {
  readonly name: string
  readonly durability: Durability
  readonly data: 'fresh' | 'kept'
  /** Further flags, such as `--journal-file-age`, `1s`. */
  readonly flags?: readonly string[]
}): Promise<BenchService> {
  const dataDir = `${benchDataDir}${options.name}`
  if (options.data === 'fresh') {
    await rm(dataDir, { recursive: true, force: true })
  }
  const flags = ['--port', '0', '--data-dir', dataDir, '--admin-key', adminKey]
  const argv = [
    launcher,
    'serve',
    ...flags,
    '--durability',
    options.durability,
    '--log-level',
    'warn',
    ...(options.flags ?? []),
  ]
  const child = await startServer(argv)
  const client = new Client(child.baseUrl)

  return {
    ...child,
    client,
    dataDir,
    stop: async () => {
      client.close()
      await child.stop()
    },
    makeTokens: async () => {
      const tokens: string[] = []
      for (const stream of streams) {
        tokens.push(await makeToken(client, stream))
      }
      return tokens
    },
    query: (query, { limit = 1, ...others } = {}) =>
      client.postJson<QueryAnswer>('/api/v1/query/logs', adminKey, {
        ...allTimes,
        ...others,
        query,
        limit,
      }),
    histogram: (query, asked) =>
      client.postJson<HistogramAnswer>('/api/v1/query/logs/histogram', adminKey, {
        ...asked,
        query,
      }),
    range: async (query, range) => {
      const asked = new URLSearchParams({ query })
      for (const [name, value] of Object.entries(range)) asked.append(name, String(value))
      const type = 'application/x-www-form-urlencoded'
      const answer = await client.post('/api/v1/query_range', adminKey, type, String(asked))
      return (JSON.parse(answer) as { data: { result: RangeSeries[] } }).data.result
    },
    ask: (operation, body) => client.postJson(`/api/v1/query/logs/${operation}`, adminKey, body),
  }
}

async function makeToken(client: Client, stream: MadeStream): Promise<string> {
  const path = '/api/v1/settings/ingestion-tokens'
  const answer = await client.postJson<{ token: string }>(path, adminKey, {
    serviceName: stream.service,
    environment: stream.environment,
  })
  return answer.token
}
