/**
 * Many events per request: bodies are built before the clock starts, and sent on a few connections to
 * a service on a fresh data directory. The count of a query afterwards must equal what was
 * acknowledged.
 */
import { asOneStream, type Batch, bodyBytesMax, makeBatches, sendBatches } from './bulk.ts'
import { type Memory, readCpuSeconds, readMemory } from './child.ts'
import { diskBytes } from './disk-size.ts'
import { type MadeRecord, makeRecords } from './records.ts'
import { type BenchService, type Durability, startService } from './service.ts'
import { settle, settlingFlags } from './settle.ts'

export interface BulkShape {
  readonly title: string
  readonly connections: number
  readonly batches: readonly Batch[]
}

export interface BulkResult {
  readonly perSecond: number
  readonly serverCores: number
  readonly generatorCores: number
}

export interface EndState extends Memory {
  readonly records: number
  readonly diskBytes: number
}

const warmUpRecords = 20_000
const connections = 4

export function makeShapes(seed: number, count: number): BulkShape[] {
  const shape = (title: string, recordsMax: number): BulkShape => {
    const bounds = { recordsMax, bytesMax: bodyBytesMax }
    return { title, connections, batches: [...makeBatches(makeRecords({ seed, count }), bounds)] }
  }
  const file = makeBatches(asOneStream(makeRecords({ seed, count })), {
    recordsMax: Number.POSITIVE_INFINITY,
    bytesMax: bodyBytesMax,
  })
  return [
    shape('1,000 events per request', 1_000),
    shape('10,000 events per request', 10_000),
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
  const acknowledged = await sendBatches({ baseUrl: service.baseUrl, tokens, ...shape })
  const seconds = (performance.now() - startedAt) / 1000
  const generatorUsed = process.cpuUsage(generatorBefore)
  const serverCores = (readCpuSeconds(service.pid) - serverBefore) / seconds

  await checkStored(service, warmedUp + acknowledged)
  await service.stop()
  return {
    perSecond: acknowledged / seconds,
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
