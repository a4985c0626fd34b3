/**
 * Are shorter times answered faster? `node bench/ranges.ts [--count 2000000] [--seed 1] [--runs 7]
 * [--fresh] [--json FILE] [--quick]` asks the same queries about 1 %, 10 % and 100 % of the time of the data.
 *
 * The shares lie around the record with the known trace id, so that each query finds something in
 * each. Warm, and every answer compared with the oracle's, as in `query.ts`, whose data it shares.
 */
import { describeStore } from './disk-size.ts'
import { prepareOver, timeQuery } from './measure.ts'
import { dataOptions, readOptions } from './options.ts'
import type { TimeRange } from './oracle.ts'
import { dataRange, openData } from './query-data.ts'
import { benchQueries } from './query-list.ts'
import { plantedShare } from './records.ts'
import { type BenchRow, writeResults } from './results.ts'
import { machineLine, millis, printTable, whole } from './table.ts'
import { describeWarm, measureWarm } from './warm.ts'

const { count, seed, runs, fresh: isFresh, json, quick: isQuick } = readOptions(dataOptions)
const shares = [0.01, 0.1, 1]

const data = await openData({ seed, count, isFresh, keepsMessages: false, isQuick })
const { oracle, service, figures, origin } = data
const storeLine = describeStore(figures, service.dataDir)

const rows: string[][] = []
const results: BenchRow[] = []
for (const query of benchQueries.filter(({ range }) => range === undefined)) {
  process.stderr.write(`${query.work}\n`)
  const counts: string[] = []
  const times: number[] = []
  for (const share of shares) {
    const prepared = prepareOver(query, oracle, rangeOf(share))
    counts.push(whole(prepared.expected.count))
    times.push(await measureWarm(() => timeQuery(service, prepared), runs))
  }
  const measures = shares.map((share, index) => [`${share * 100} % ms`, [times[index]!]] as const)
  results.push({ work: query.work, measures: Object.fromEntries(measures) })
  rows.push([query.work, ...counts, ...times.map(millis), (times[2]! / times[0]!).toFixed(1)])
}
await service.stop()

console.log(`${machineLine()}; ${describeWarm(runs)}\n`)
printTable(
  'Work: | Records in 1 % | in 10 % | in 100 % | 1 % ms | 10 % ms | 100 % ms' + ' | 100 % ÷ 1 %',
  rows,
)
console.log(`\n${storeLine}; ${origin}\nevery answer equals the oracle's`)
writeResults(json, { bench: 'ranges', conditions: { count, seed }, rows: results })

/** A part of the time of the data, with as much of it before the planted record as after it. */
function rangeOf(share: number): TimeRange {
  if (share === 1) return dataRange(count)
  const { startTime, endTime } = dataRange(count)
  const width = endTime - startTime
  const from = Math.round(startTime + plantedShare * width - (share * width) / 2)
  return { startTime: from, endTime: from + Math.round(share * width) }
}
