/**
 * Single durable events at half of the peak rate, and queries one after the other, each alone and then
 * both at once, on one loaded store.
 *
 * After the load each answer is compared with the oracle's. While events come in, the right count of
 * a query is not known, but it may never fall. In the end all acknowledged events are counted.
 */
import { hourMs } from '../src/time-units.ts'
import { runLoad, writeRing } from './load.ts'
import { type PreparedQuery, prepareOver, timeGrowing, timeQuery } from './measure.ts'
import { Oracle } from './oracle.ts'
import { type PacedResult, runPaced } from './paced-load.ts'
import { loadAndSettle } from './query-data.ts'
import { type BenchQuery, benchQueries } from './query-list.ts'
import { defaultStartTime, makeRecords } from './records.ts'
import { type Sample, startSampler } from './sampler.ts'
import { type BenchService, benchDataDir, startService } from './service.ts'
import { settle } from './settle.ts'
import { warmUpRuns } from './warm.ts'

export interface MixedOptions {
  readonly seed: number
  /** Records in the store before. */
  readonly count: number
  readonly connections: number
  /** Of each part. */
  readonly seconds: number
  /** Events per second; undefined: half of the peak. */
  readonly perSecond: number | undefined
  /** For the service. */
  readonly flags: readonly string[]
}

/** Milliseconds of each run of a query. */
export type QueryTimes = ReadonlyMap<string, readonly number[]>

export interface MixedResult {
  readonly peakPerSecond: number
  readonly perSecond: number
  readonly events: { readonly alone: PacedResult; readonly mixed: PacedResult }
  readonly queries: { readonly alone: QueryTimes; readonly mixed: QueryTimes }
  /** While both ran. */
  readonly samples: readonly Sample[]
}

const sampleMs = 1_000

export async function runMixed(options: MixedOptions): Promise<MixedResult> {
  const { seed, connections, seconds, flags } = options
  const service = await startService({ name: 'mixed', durability: 'disk', data: 'fresh', flags })
  const tokens = await service.makeTokens()
  const queries = await load(service, tokens, options)
  const timer = growingTimer(service)

  process.stderr.write('peak of single events\n')
  const ringPath = `${benchDataDir}ring-mixed.tsv`
  await writeRing(ringPath, seed + 1, tokens)
  const events = { server: service, ringPath, connections }
  await runLoad({ ...events, seconds: 1 })
  const { perSecond: peakPerSecond } = await runLoad({ ...events, seconds: Math.min(5, seconds) })
  await settle(service)

  const perSecond = options.perSecond ?? Math.round(peakPerSecond / 2)
  const paced = { ...events, perSecond, seconds }
  process.stderr.write(`${perSecond} events per second alone\n`)
  const { count: storedBefore } = await service.query('count(logs)')
  const eventsAlone = await runPaced(paced)
  await settle(service)

  process.stderr.write('queries alone\n')
  for (let round = 0; round < warmUpRuns; round++) {
    for (const query of queries) await timer(query)
  }
  const timeIsUp = AbortSignal.timeout(seconds * 1000)
  const queriesAlone = await askUntil(timeIsUp, queries, timer)

  process.stderr.write('both at once\n')
  const sampler = await startSampler(service, sampleMs)
  const allSent = new AbortController()
  const [eventsMixed, queriesMixed] = await Promise.all([
    runPaced(paced).finally(() => allSent.abort()),
    askUntil(allSent.signal, queries, timer),
  ])
  const samples = await sampler.stop()

  const acknowledged = eventsAlone.acknowledged + eventsMixed.acknowledged
  const { count: storedAfter } = await service.query('count(logs)')
  if (storedAfter - storedBefore !== acknowledged) {
    const stored = storedAfter - storedBefore
    throw new Error(`${acknowledged} events were acknowledged, but ${stored} are found`)
  }
  await service.stop()
  return {
    peakPerSecond,
    perSecond,
    events: { alone: eventsAlone, mixed: eventsMixed },
    queries: { alone: queriesAlone, mixed: queriesMixed },
    samples,
  }
}

/**
 * Loads records of the day until now, so that the events to come are the youngest, and checks each
 * query's answer. The queries ask about this day and the hour to come, or a time within this day.
 */
async function load(
  service: BenchService,
  tokens: readonly string[],
  { seed, count }: MixedOptions,
): Promise<PreparedQuery[]> {
  const endTime = Date.now()
  const startTime = endTime - 24 * hourMs
  const oracle = new Oracle({ recordsMax: count, keepsMessages: false })
  const records = makeRecords({ seed, count, startTime, endTime })
  await loadAndSettle(service, tokens, oracle.watch(records))

  const rangeOf = ({ range }: BenchQuery) => {
    if (range === undefined) return { startTime, endTime: endTime + hourMs }
    const later = startTime - defaultStartTime
    return { startTime: range.startTime + later, endTime: range.endTime + later }
  }
  // Figures come without a count, by which answers are judged while events come in.
  const queries = benchQueries
    .filter(({ isFigure }) => isFigure !== true)
    .map(query => prepareOver(query, oracle, rangeOf(query)))
  for (const query of queries) await timeQuery(service, query)
  return queries
}

/** Asks all queries in turn, round after round; the round under way is finished. */
async function askUntil(
  signal: AbortSignal,
  queries: readonly PreparedQuery[],
  time: (query: PreparedQuery) => Promise<number>,
): Promise<QueryTimes> {
  const times = new Map(queries.map(({ work }): [string, number[]] => [work, []]))
  while (!signal.aborted) {
    for (const query of queries) times.get(query.work)!.push(await time(query))
  }
  return times
}

/** Times queries. Throws when a count falls: a record would have been lost. */
function growingTimer(service: BenchService): (query: PreparedQuery) => Promise<number> {
  const lastCounts = new Map<string, number>()
  return async query => {
    const { count, elapsedMs } = await timeGrowing(service, query)
    const before = lastCounts.get(query.work) ?? query.expected.count
    if (count < before) {
      throw new Error(`the count of "${query.work}" fell from ${before} to ${count}`)
    }
    lastCounts.set(query.work, count)
    return elapsedMs
  }
}
