/**
 * The data that the query benchmarks ask: a service loaded with records, all of them in segments, and
 * the oracle that knows them. A data directory of an earlier run is used again when it holds the very
 * same records, written by the very same code; `isReused` asks for the records alone. Each kind of data
 * and each count has a directory of its own.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bodyBytesMax, makeBatches, sendBatches } from './bulk.ts'
import { lineNeedles, needles } from './needles.ts'
import { readLines } from './options.ts'
import { Oracle, type TimeRange } from './oracle.ts'
import { type MadeRecord, makeRecords, type RecordOptions, timeOf } from './records.ts'
import { type BenchService, benchDataDir, startService } from './service.ts'
import { settle, settlingFlags } from './settle.ts'
import type { StoreMetrics } from './store-metrics.ts'
import { whole } from './table.ts'

export interface DataOptions {
  readonly seed: number
  readonly count: number
  /** Real logs whose lines become the messages; made messages otherwise. */
  readonly files?: readonly string[]
  readonly isFresh: boolean
  /** What is there is taken when its records are the same, whatever code wrote them. */
  readonly isReused?: boolean
  /** For the baseline that searches all messages. */
  readonly keepsMessages: boolean
  readonly isQuick: boolean
}

export interface BenchData {
  readonly oracle: Oracle
  readonly service: BenchService
  readonly figures: StoreMetrics
  /** Of the kind of data and their count. */
  readonly name: string
  readonly seed: number
  readonly count: number
  readonly files: readonly string[]
  /** Changes with the records. */
  readonly recordsMarker: string
  /** How the data came to be in the store. */
  readonly origin: string
  /** Starts the service once more, when it has been stopped; with further flags. */
  restart(more?: readonly string[]): Promise<BenchService>
}

/** What is known about a data directory. */
interface Marker {
  readonly records: string
  readonly storageCode: string
}

const connections = 4
/** What takes too long is to be seen in the figures, not given up. */
const queryTimeout = '10m'
/** The code that decides what the files look like. */
const storageFolders = ['ingest', 'journal', 'segment', 'store', 'index']

/** The time of so many records. */
export function dataRange(count: number): TimeRange {
  const { startTime, endTime } = timeOf(count)
  return { startTime, endTime: endTime - 1 }
}

/** Starts the service on the data, loading it when need be. The oracle is made anew in any case. */
export async function openData(options: DataOptions): Promise<BenchData> {
  mkdirSync(benchDataDir, { recursive: true })
  const { seed, count, files = [], keepsMessages } = options
  const lines = files.length === 0 ? undefined : readLines(files)
  const oracle = new Oracle({
    recordsMax: count,
    keepsMessages,
    needles: lines === undefined ? needles : lineNeedles,
  })
  const recordOptions = { seed, count, ...(lines !== undefined && { from: lines }) }
  const records = oracle.watch(makeRecords(recordOptions))
  const name = `query-${lines === undefined ? 'made' : 'lines'}-${count}`
  const markerPath = `${benchDataDir}${name}.marker` // Not `.json`: the linter would read it.
  const flags = [...settlingFlags(options.isQuick), '--query-timeout', queryTimeout]
  const restart = (more: readonly string[] = []) =>
    startService({ name, durability: 'disk', data: 'kept', flags: [...flags, ...more] })

  const known = options.isFresh ? undefined : readMarker(markerPath)
  const marker = { records: describeRecords(recordOptions), storageCode: digestStorageCode() }
  const what = { oracle, name, seed, count, files, recordsMarker: marker.records, restart }
  const isSameCode = known?.storageCode === marker.storageCode
  if (known?.records === marker.records && (isSameCode || options.isReused === true)) {
    for (const _ of records) {
      // Watching is all.
    }
    const service = await restart()
    const figures = await settle(service)
    const origin = `loaded in an earlier run${isSameCode ? '' : ', by other storage code (--reuse)'}`
    return { ...what, service, figures, origin }
  }
  rmSync(markerPath, { force: true })
  const service = await startService({ name, durability: 'disk', data: 'fresh', flags })
  const { figures, origin } = await loadAndSettle(service, await service.makeTokens(), records)
  if (figures.segmentRecords !== count) {
    throw new Error(`${figures.segmentRecords} of ${count} records are in segments`)
  }
  writeFileSync(markerPath, JSON.stringify(marker)) // Last: a load cut short is not used again.
  return { ...what, service, figures, origin }
}

/** Sends the records and waits until all are sealed and compacted. */
export async function loadAndSettle(
  service: BenchService,
  tokens: readonly string[],
  records: Iterable<MadeRecord>,
): Promise<{ figures: StoreMetrics; origin: string }> {
  const startedAt = performance.now()
  const acknowledged = await sendBatches({
    baseUrl: service.baseUrl,
    tokens,
    batches: makeBatches(records, { recordsMax: 5_000, bytesMax: bodyBytesMax }),
    connections,
    onAcknowledged: sent => {
      if (process.stderr.isTTY) process.stderr.write(`\rloaded ${whole(sent)} records`)
    },
  })
  const loadedAt = performance.now()
  process.stderr.write(`\rloaded ${whole(acknowledged)} records; waiting for the sealer\n`)
  const figures = await settle(service, acknowledged)
  const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`
  const settled = seconds(loadedAt, performance.now())
  const origin = `made and loaded in ${seconds(startedAt, loadedAt)}, seen at rest ${settled} later`
  return { figures, origin }
}

/** What the data are: when the record maker or a file of lines changes, so does this text. */
function describeRecords(options: RecordOptions): string {
  const { seed, count, from } = options
  const first = createHash('sha256')
  const { startTime, endTime } = timeOf(count)
  for (const { stream, json } of makeRecords({ ...options, count: Math.min(count, 10_000) })) {
    first.update(`${stream} ${json}\n`)
  }
  const lines = createHash('sha256').update(JSON.stringify(from ?? []))
  return JSON.stringify({
    seed,
    count,
    startTime,
    endTime,
    lines: lines.digest('hex'),
    firstRecords: first.digest('hex'),
  })
}

function digestStorageCode(): string {
  const code = createHash('sha256')
  for (const folder of storageFolders) {
    const path = fileURLToPath(new URL(`../src/${folder}/`, import.meta.url))
    const files = readdirSync(path, { recursive: true, encoding: 'utf8' })
    for (const file of files.filter(found => found.endsWith('.ts')).sort()) {
      code.update(`${file}\n`).update(readFileSync(`${path}${file}`))
    }
  }
  return code.digest('hex')
}

function readMarker(path: string): Marker | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Marker
  } catch {
    return undefined // Never loaded, or not to the end.
  }
}
