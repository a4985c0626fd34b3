/**
 * What parsers and numeric filters cost: `node bench/stages.ts [--kinds json,logfmt,access]
 * [--count 2000000] [--seed 1] [--rounds 2] [--runs 5] [--rest 3] [--no-baseline] [--fresh]
 * [--json FILE] [--quick]`.
 *
 * Messages are JSON, logfmt or lines of an access log (`staged-lines.ts`), all in segments; each kind has a
 * service and data of its own, which are taken again. Times are whole HTTP requests on loopback, one at a
 * time, with the CPU time of the whole service beside them, because it hardly depends on who else uses the
 * machine. First: once after a restart, the files in the page cache, the median of `--rounds`; what
 * columns answer without a parser has a restart of its own for each question. Paced: after
 * `--rest` seconds without a request. Warm: the median of `--runs` after three that do not count.
 *
 * Every answer is compared with what the records say; a wrong one ends the benchmark. The baseline is
 * `JSON.parse` of all messages, for the other kinds one regular expression (`parse-baseline.ts`).
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { bodyBytesMax, makeBatches, sendBatches } from './bulk.ts'
import { readCpuSeconds, readMemory } from './child.ts'
import { readOptions } from './options.ts'
import { readIntoPageCache } from './page-cache.ts'
import { timeParsing } from './parse-baseline.ts'
import type { MadeRecord } from './records.ts'
import { type BenchRow, writeResults } from './results.ts'
import { type BenchService, benchDataDir, startService } from './service.ts'
import { settle, settlingFlags } from './settle.ts'
import { type LineKind, lineKinds, makeStagedRecords, type StagedRecord } from './staged-lines.ts'
import { columnQuestions, type StagedQuestion, stagedQuestions } from './staged-questions.ts'
import { streams } from './streams.ts'
import { machineLine, median, millis, printTable, whole } from './table.ts'

const {
  quick: isQuick,
  json,
  seed,
  count,
  rounds,
  runs,
  ...given
} = readOptions({
  integers: {
    count: { usual: 2_000_000, quick: 20_000 },
    seed: 1,
    rounds: { usual: 2, quick: 1 },
    runs: { usual: 5, quick: 1 },
    rest: { usual: 3, quick: 0 },
  },
  texts: ['kinds'],
  switches: ['no-baseline', 'fresh'],
})
const restMs = given.rest * 1000
const kinds = lineKinds.filter(kind => given.kinds?.split(',').includes(kind) ?? true)
/** As many as the service scans with on the machine of the published figures. */
const threadCount = 2
const stream = 0
const service = streams[stream]!.service
const warmUpRuns = 3

/** A question with its right answer. */
interface Asked extends StagedQuestion {
  readonly records: number
  readonly sum: number
}

interface Times {
  readonly ms: number
  readonly cpuMs: number
}

const rows: BenchRow[] = []
const table: string[][] = []
for (const kind of kinds) await runKind(kind)
console.log(
  `${machineLine()}; ${whole(count)} records of each kind; first: after a restart, page cache warm, ` +
    `median of ${rounds}; paced: after ${restMs / 1000} s of rest; warm: median of ${runs}; ` +
    'CPU of the whole service in brackets\n',
)
const phases = ['first', 'paced', 'warm'] as const
printTable(['Work:', 'Records', ...phases.map(phase => `${phase} ms (CPU)`)], table)
writeResults(json, { bench: 'stages', conditions: { count, seed }, rows })

async function runKind(kind: LineKind): Promise<void> {
  process.stderr.write(`${kind}: data\n`)
  const questions = answered(kind)
  let on = await open(kind)
  const times = questions.map(() => ({ first: [] as Times[], paced: [] as Times[] }))
  const first = async (asked: readonly Asked[]) => {
    await on.stop()
    readIntoPageCache(on.dataDir)
    on = await start(kind, 'kept')
    await pause(isQuick ? 0 : 5_000) // What a service does of itself after a start.
    for (const one of asked) times[questions.indexOf(one)]!.first.push(await time(on, one))
  }
  for (let round = 0; round < rounds; round++) {
    process.stderr.write(`${kind}: first\n`)
    await first(questions.filter(({ isAskedAlone }) => !isAskedAlone))
    for (const asked of questions) if (asked.isAskedAlone) await first([asked])
  }
  process.stderr.write(`${kind}: paced, warm\n`)
  for (const [i, asked] of questions.entries()) {
    await pause(restMs)
    times[i]!.paced.push(await time(on, asked))
  }
  for (const [i, asked] of questions.entries()) {
    const warm: Times[] = []
    for (let run = 0; run < warmUpRuns + runs; run++) warm.push(await time(on, asked))
    note(`${kind}: ${asked.work}`, asked.records, { ...times[i]!, warm: warm.slice(warmUpRuns) })
  }
  process.stderr.write(`${kind}: ${whole(readMemory(on.pid).peakBytes / 1e6)} MB at most\n`)
  await on.stop()
  if (!given['no-baseline']) {
    const ms = await timeParsing({ kind, seed, count }, threadCount)
    const work = `${kind}: all lines ${kind === 'json' ? 'JSON.parse' : 'by one expression'}`
    table.push([work, whole(count), '', '', millis(ms)])
    rows.push({ work, measures: { 'baseline ms': [ms] } })
  }
}

/** The questions with what the records say; they are made once more for that. */
function answered(kind: LineKind): Asked[] {
  const middle = Math.floor(count / 2)
  let number = 0
  let rareTrace = ''
  for (const { traceId } of makeStagedRecords(kind, { seed, count: middle + 1 })) {
    if (number++ === middle) rareTrace = traceId
  }
  const questions = [
    ...stagedQuestions(kind, service, rareTrace),
    ...(kind === 'json' ? columnQuestions(service) : []),
  ].map(question => ({ ...question, records: 0, sum: 0 }))
  for (const record of makeStagedRecords(kind, { seed, count })) {
    for (const question of questions) {
      if (!question.matches(record)) continue
      question.records++
      question.sum += question.sumOf?.(record) ?? 0
    }
  }
  return questions
}

function start(kind: LineKind, data: 'fresh' | 'kept'): Promise<BenchService> {
  const flags = [...settlingFlags(isQuick), '--query-timeout', '10m']
  return startService({ name: `stages-${kind}-${count}`, durability: 'disk', data, flags })
}

/** On the data of an earlier run, when it holds the same records. */
async function open(kind: LineKind): Promise<BenchService> {
  mkdirSync(benchDataDir, { recursive: true })
  const markerPath = `${benchDataDir}stages-${kind}-${count}.marker`
  const [first] = makeStagedRecords(kind, { seed, count: 1 })
  const marker = JSON.stringify([count, seed, eventOf(first!)])
  if (!given.fresh && readMarker(markerPath) === marker) {
    const on = await start(kind, 'kept')
    await settle(on)
    return on
  }
  rmSync(markerPath, { force: true })
  const on = await start(kind, 'fresh')
  await sendBatches({
    baseUrl: on.baseUrl,
    tokens: await on.makeTokens(),
    batches: makeBatches(eventsOf(kind), { recordsMax: 5_000, bytesMax: bodyBytesMax }),
    connections: 2,
  })
  const { segmentRecords } = await settle(on, count)
  if (segmentRecords !== count) throw new Error(`${segmentRecords} of ${count} are in segments`)
  writeFileSync(markerPath, marker) // Last: a load cut short is not used again.
  return on
}

function readMarker(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined // Never loaded, or not to the end.
  }
}

function* eventsOf(kind: LineKind): Generator<Pick<MadeRecord, 'stream' | 'json'>> {
  for (const record of makeStagedRecords(kind, { seed, count })) {
    yield { stream, json: eventOf(record) }
  }
}

function eventOf({ timestamp, line, elapsed, region }: StagedRecord): string {
  return JSON.stringify({ ts: timestamp, level: 'info', message: line, elapsed, region })
}

async function time(on: BenchService, asked: Asked): Promise<Times> {
  const { before = '', after = '' } = asked.around ?? {}
  const cpuFrom = readCpuSeconds(on.pid)
  const startedAt = performance.now()
  const problem = await ask(on, asked, `${before}${asked.selected}${after}`)
  const ms = performance.now() - startedAt
  const cpuMs = (readCpuSeconds(on.pid) - cpuFrom) * 1000
  if (problem !== undefined) throw new Error(`wrong answer to ${asked.selected}: ${problem}`)
  return { ms, cpuMs }
}

/** What is wrong with the answer. */
async function ask(
  on: BenchService,
  { around, records, sum, limit = 1, sumOf }: Asked,
  query: string,
): Promise<string | undefined> {
  const isFigure = around !== undefined && !around.before.startsWith('count')
  if (!isFigure) {
    const { count: found, logs } = await on.query(query, { limit })
    if (found !== records) return `${found} records, not ${records}`
    return logs.length === Math.min(limit, records) ? undefined : `${logs.length} records shown`
  }
  const day = 86_400
  const end = Math.ceil((Date.UTC(2026, 10, 19) / 1000 + 3 * day) / day) * day
  const series = await on.range(query, { start: end, end, step: 4 * day })
  const value = Number(series[0]?.values[0]?.[1])
  if (sumOf === undefined) return Number.isFinite(value) ? undefined : 'no figure'
  return Math.abs(value - sum) <= 1e-9 * sum ? undefined : `${value}, not ${sum}`
}

function note(
  work: string,
  records: number,
  times: Readonly<Record<'first' | 'paced' | 'warm', readonly Times[]>>,
): void {
  const cell = (all: readonly Times[]) =>
    `${millis(median(all.map(({ ms }) => ms)))} (${whole(median(all.map(({ cpuMs }) => cpuMs)))})`
  table.push([work, whole(records), cell(times.first), cell(times.paced), cell(times.warm)])
  const measures = Object.entries(times).flatMap(([phase, all]) => [
    [`${phase} ms`, all.map(({ ms }) => ms)] as const,
    [`${phase} CPU ms`, all.map(({ cpuMs }) => cpuMs)] as const,
  ])
  rows.push({ work, measures: Object.fromEntries(measures) })
}
