/**
 * The data that the query benchmark asks: a service loaded with records, and the oracle that knows
 * them. A data directory of an earlier run is used again when it holds the very same records.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { bodyBytesMax, makeBatches, sendBatches } from './bulk.ts'
import { Oracle } from './oracle.ts'
import { makeRecords } from './records.ts'
import { type BenchService, benchDataDir, startService } from './service.ts'
import { whole } from './table.ts'

export interface DataOptions {
  readonly seed: number
  readonly count: number
  readonly isFresh: boolean
}

const name = 'query'
const markerPath = `${benchDataDir}${name}.json`

/** Starts the service on the data, loading it when need be. The oracle is made anew in any case. */
export async function openData(options: DataOptions) {
  mkdirSync(benchDataDir, { recursive: true })
  const oracle = new Oracle()
  const marker = describeData(options)
  const isKept = !options.isFresh && readMarker() === marker

  if (isKept) {
    for (const _ of oracle.watch(makeRecords(options))) {
      // Watching is all.
    }
    return { oracle, service: await restart() }
  }
  rmSync(markerPath, { force: true })
  const service = await startService({ name, durability: 'disk', data: 'fresh' })
  await load(service, oracle, options)
  writeFileSync(markerPath, marker) // Last: a load that was cut short is not used again.
  return { oracle, service }
}

/** Starts the service on what lies in its directory. */
export function restart(): Promise<BenchService> {
  return startService({ name, durability: 'disk', data: 'kept' })
}

async function load(service: BenchService, oracle: Oracle, options: DataOptions): Promise<void> {
  const tokens = await service.makeTokens()
  const records = oracle.watch(makeRecords(options))
  process.stderr.write(`loading ${whole(options.count)} records\n`)
  const acknowledged = await sendBatches({
    baseUrl: service.baseUrl,
    tokens,
    batches: makeBatches(records, { recordsMax: 5_000, bytesMax: bodyBytesMax }),
    connections: 2,
    onAcknowledged: sent => {
      if (process.stderr.isTTY) {
        process.stderr.write(`\rloaded ${whole(sent)} of ${whole(options.count)} records`)
      }
    },
  })
  if (acknowledged !== options.count) {
    throw new Error(`${acknowledged} of ${options.count} records were acknowledged`)
  }
}

/** What the data are: when the record maker changes, so do the first records, and this text. */
function describeData({ seed, count }: DataOptions): string {
  const hash = createHash('sha256')
  for (const { stream, json } of makeRecords({ seed, count: Math.min(count, 10_000) })) {
    hash.update(`${stream} ${json}\n`)
  }
  return JSON.stringify({ seed, count, firstRecords: hash.digest('hex') })
}

function readMarker(): string | undefined {
  try {
    return readFileSync(markerPath, 'utf8')
  } catch {
    return undefined // Never loaded, or not to the end.
  }
}
