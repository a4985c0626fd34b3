/**
 * Many events per request: bodies are built before the clock starts, and sent on a few connections to
 * a service on a fresh data directory. The count of a query afterwards must equal what was
 * acknowledged.
 */
import {
  asOneStream,
  type Batch,
  bodyBytesMax,
  compressed,
  makeBatches,
  sendBatches,
} from './bulk.ts'
import { type Memory, readCpuSeconds, readMemory } from './child.ts'
import { diskBytes } from './disk-size.ts'
import { type MadeRecord, makeRecords } from './records.ts'
import { type BenchService, type Durability, startService } from './service.ts'
import { settle, settlingFlags } from './settle.ts'
import { percentile, whole } from './table.ts'

export interface BulkShape {
  readonly title: string
  readonly connections: number
  readonly batches: readonly Batch[]
}

export interface BulkResult {
  readonly perSecond: number
  /** Of the requests. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly serverCores: number
  readonly generatorCores: number
}

export interface EndState extends Memory {
  readonly records: number
  readonly diskBytes: number
}

const warmUpRecords = 20_000
const connections = 4
/** Small requests: their number is what counts, so there are many at once, and fewer records in all. */
const smallRecordsMax = 100
const smallConnections = 16
const smallRequests = 4_000

export function makeShapes(seed: number, count: number): BulkShape[] {
  const shape = (eventsPerRequest: number): BulkShape => {
    const isSmall = eventsPerRequest <= smallRecordsMax
    const records = isSmall ? Math.min(count, eventsPerRequest * smallRequests) : count
    const bounds = { recordsMax: eventsPerRequest, bytesMax: bodyBytesMax }
    return {
      title: `${whole(eventsPerRequest)} per request`,
      connections: isSmall ? smallConnections : connections,
      batches: [...makeBatches(makeRecords({ seed, count: records }), bounds)],
    }
  }
  const zipped = ({ title, batches, ...rest }: BulkShape): BulkShape => {
    return { ...rest, title: `${title}, gzip`, batches: batches.map(compressed) }
  }
  const file = makeBatches(asOneStream(makeRecords({ seed, count })), {
    recordsMax: Number.POSITIVE_INFINITY,
    bytesMax: bodyBytesMax,
  })
  const large = [shape(1_000), shape(10_000)]
  return [
    ...[1, 10, 100].map(shape),
    ...large,
    ...large.map(zipped),
    { title: 'one file, 60 MiB per request', connections: 1, batches: [...file] },
  ]
}

export async function runBulk(
  durability: Durability,
  shape: BulkShape,
  seed: number,
): Promise<BulkResult> {
  const { service, tokens, warmedUp } = await startWarm(durability, seed)

  const serverBefore = readCpuSeconds(service.pid)
  const generatorBefore = process.cpuUsage()
  const startedAt = performance.now()
  const times: number[] = []
  const onAcknowledged = (_records: number, elapsedMs: number) => times.push(elapsedMs)
  const options = { baseUrl: service.baseUrl, tokens, ...shape, onAcknowledged }
  const acknowledged = await sendBatches(options)
  const seconds = (performance.now() - startedAt) / 1000
  const generatorUsed = process.cpuUsage(generatorBefore)
  const serverCores = (readCpuSeconds(service.pid) - serverBefore) / seconds

  await checkStored(service, warmedUp + acknowledged)
  await service.stop()
  return {
    perSecond: acknowledged / seconds,
    p50Ms: percentile(times, 50),
    p99Ms: percentile(times, 99),
    serverCores,
    generatorCores: (generatorUsed.user + generatorUsed.system) / 1e6 / seconds,
  }
}

/** Loads `count` records and says what the service takes in memory and on disk when all is sealed. */
export async function runToEnd(options: {
  readonly seed: number
  readonly count: number
  readonly isQuick: boolean
}): Promise<EndState> {
  const { seed, count, isQuick } = options
  const { service, tokens, warmedUp } = await startWarm('disk', seed, settlingFlags(isQuick))
  const records = makeRecords({ seed, count: count - warmedUp })
  const batches = makeBatches(records, { recordsMax: 10_000, bytesMax: bodyBytesMax })
  const acknowledged = await sendBatches({
    baseUrl: service.baseUrl,
    tokens,
    batches,
    connections,
  })
  await settle(service)
  const memory = readMemory(service.pid)
  await checkStored(service, warmedUp + acknowledged)
  const bytes = diskBytes(service.dataDir)
  await service.stop()
  return { ...memory, records: warmedUp + acknowledged, diskBytes: bytes }
}

/** Records per second of JSON.parse alone, on this thread. */
export function measureJsonParse(records: Iterable<MadeRecord>): number {
  const texts = Array.from(records, ({ json }) => json)
  const startedAt = performance.now()
  for (const text of texts) {
    JSON.parse(text)
  }
  return (texts.length / (performance.now() - startedAt)) * 1000
}

async function startWarm(durability: Durability, seed: number, flags: readonly string[] = []) {
  const service = await startService({ name: 'bulk', durability, data: 'fresh', flags })
  const tokens = await service.makeTokens()
  const records = makeRecords({ seed: seed + 1, count: warmUpRecords })
  const batches = makeBatches(records, { recordsMax: 500, bytesMax: bodyBytesMax })
  const warmedUp = await sendBatches({ baseUrl: service.baseUrl, tokens, batches, connections: 1 })
  return { service, tokens, warmedUp }
}

async function checkStored(service: BenchService, acknowledged: number): Promise<void> {
  const { count } = await service.query('count(logs)')
  if (count !== acknowledged) {
    throw new Error(`${acknowledged} records were acknowledged, but count(logs) is ${count}`)
  }
}
