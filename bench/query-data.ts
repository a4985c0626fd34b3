/**
 * The data that the query benchmarks ask: a service loaded with records, all of them in segments, and
 * the oracle that knows them. A data directory of an earlier run is used again when it holds the very
 * same records, written by the very same code.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bodyBytesMax, makeBatches, sendBatches } from './bulk.ts'
import type { StoreFigures } from './figures.ts'
import { Oracle } from './oracle.ts'
import { defaultEndTime, defaultStartTime, type MadeRecord, makeRecords } from './records.ts'
import { type BenchService, benchDataDir, startService } from './service.ts'
import { settle, settlingFlags } from './settle.ts'
import { whole } from './table.ts'

export interface DataOptions {
  readonly seed: number
  readonly count: number
  readonly isFresh: boolean
  /** For the baseline that searches all messages. */
  readonly keepsMessages: boolean
  readonly isQuick: boolean
}

export interface BenchData {
  readonly oracle: Oracle
  readonly service: BenchService
  readonly figures: StoreFigures
  /** How the data came to be in the store. */
  readonly origin: string
}

/** The time of all records. */
export const dataRange = { startTime: defaultStartTime, endTime: defaultEndTime - 1 }

const name = 'query'
/** Not `.json`: the linter would read it. */
const markerPath = `${benchDataDir}${name}.marker`
/** The code that decides what the files look like. */
const storageFolders = ['ingest', 'journal', 'segment', 'store', 'index']

/** Starts the service on the data, loading it when need be. The oracle is made anew in any case. */
export async function openData(options: DataOptions): Promise<BenchData> {
  mkdirSync(benchDataDir, { recursive: true })
  const { count, keepsMessages } = options
  const oracle = new Oracle({ recordsMax: count, keepsMessages })
  const records = oracle.watch(makeRecords(options))
  const marker = describeData(options)

  if (!options.isFresh && readMarker() === marker) {
    for (const _ of records) {
      // Watching is all.
    }
    const service = await restart(options.isQuick)
    return { oracle, service, figures: await settle(service), origin: 'loaded in an earlier run' }
  }
  rmSync(markerPath, { force: true })
  const service = await startService({
    name,
    durability: 'disk',
    data: 'fresh',
    flags: settlingFlags(options.isQuick),
  })
  const { figures, origin } = await loadAndSettle(service, await service.makeTokens(), records)
  if (figures.segmentRecords !== count) {
    throw new Error(`${figures.segmentRecords} of ${count} records are in segments`)
  }
  writeFileSync(markerPath, marker) // Last: a load that was cut short is not used again.
  return { oracle, service, figures, origin }
}

/** Starts the service on what lies in its directory. */
export function restart(isQuick: boolean): Promise<BenchService> {
  const flags = settlingFlags(isQuick)
  return startService({ name, durability: 'disk', data: 'kept', flags })
}

/** Sends the records and waits until all are sealed and compacted. */
export async function loadAndSettle(
  service: BenchService,
  tokens: readonly string[],
  records: Iterable<MadeRecord>,
): Promise<{ figures: StoreFigures; origin: string }> {
  const startedAt = performance.now()
  const acknowledged = await sendBatches({
    baseUrl: service.baseUrl,
    tokens,
    batches: makeBatches(records, { recordsMax: 5_000, bytesMax: bodyBytesMax }),
    connections: 2,
    onAcknowledged: sent => {
      if (process.stderr.isTTY) process.stderr.write(`\rloaded ${whole(sent)} records`)
    },
  })
  const loadedAt = performance.now()
  process.stderr.write(`\rloaded ${whole(acknowledged)} records; waiting for the sealer\n`)
  const figures = await settle(service)
  const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`
  const settled = seconds(loadedAt, performance.now())
  const origin = `made and loaded in ${seconds(startedAt, loadedAt)}, seen at rest ${settled} later`
  return { figures, origin }
}

/** What the data are: when the record maker or the storage code changes, so does this text. */
function describeData({ seed, count }: DataOptions): string {
  const records = createHash('sha256')
  for (const { stream, json } of makeRecords({ seed, count: Math.min(count, 10_000) })) {
    records.update(`${stream} ${json}\n`)
  }
  const code = createHash('sha256')
  for (const folder of storageFolders) {
    const path = fileURLToPath(new URL(`../src/${folder}/`, import.meta.url))
    const files = readdirSync(path, { recursive: true, encoding: 'utf8' })
    for (const file of files.filter(found => found.endsWith('.ts')).sort()) {
      code.update(`${file}\n`).update(readFileSync(`${path}${file}`))
    }
  }
  return JSON.stringify({
    seed,
    count,
    firstRecords: records.digest('hex'),
    storageCode: code.digest('hex'),
  })
}

function readMarker(): string | undefined {
  try {
    return readFileSync(markerPath, 'utf8')
  } catch {
    return undefined // Never loaded, or not to the end.
  }
}
