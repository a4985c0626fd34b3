/**
 * What questions take when less is kept decoded than they need:
 * `node bench/kept.ts [--count 2000000] [--seed 1] [--cache-mib 24] [--rounds 6] [--reuse] [--json FILE]
 * [--quick] [FILE…]`; with files the messages are their lines.
 *
 * All questions of `bench:query` one after the other, again and again, as several people ask who look at
 * different things; of each the median of all rounds but the first. With the memory of the defaults, and
 * with `--cache-mib` for all scan threads together. Every answer is compared with the oracle's.
 */
import { prepare, timeQuery } from './measure.ts'
import { readOptions } from './options.ts'
import { dataRange, openData } from './query-data.ts'
import { benchQueries, lineQueries } from './query-list.ts'
import { writeResults } from './results.ts'
import { machineLine, median, millis, printTable, whole } from './table.ts'

const { count, seed, rounds, json, quick, reuse, files, ...asked } = readOptions({
  integers: {
    count: { usual: 2_000_000, quick: 20_000 },
    seed: 1,
    rounds: { usual: 6, quick: 2 },
    'cache-mib': { usual: 24, quick: 1 },
  },
  switches: ['reuse'],
  takesPositionals: true,
})
const cacheMib = asked['cache-mib']
const queries = files.length === 0 ? benchQueries : lineQueries

/** Flags of the service by what the columns are called. */
const memories = {
  'defaults ms': [],
  [`${cacheMib} MiB ms`]: ['--scan-cache-bytes', `${cacheMib}MiB`],
}

const options = { seed, count, files, isFresh: false, isReused: reuse, keepsMessages: false }
const data = await openData({ ...options, isQuick: quick })
await data.service.stop()
const prepared = queries.map(query => prepare(query, data.oracle, dataRange(count)))
const times: Record<string, number[][]> = {}
for (const [name, flags] of Object.entries(memories)) {
  const service = await data.restart(flags)
  const own = prepared.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [i, query] of prepared.entries()) {
      const ms = await timeQuery(service, query)
      if (round > 0) own[i]!.push(ms)
    }
  }
  times[name] = own
  await service.stop()
}

const names = Object.keys(memories)
const medians = prepared.map((_, i) => names.map(name => median(times[name]![i]!)))
const rows = prepared.map(({ work }, i) => [work, ...medians[i]!.map(millis)])
const sums = names.map((_, n) => millis(medians.reduce((sum, own) => sum + own[n]!, 0)))
console.log(`${machineLine()}; ${whole(count)} records, ${data.origin}\n`)
printTable(['Work:', ...names], [...rows, ['all together', ...sums]])
writeResults(json, {
  bench: 'kept',
  conditions: { records: data.recordsMarker, cacheMib },
  rows: prepared.map(({ work }, i) => ({
    work,
    measures: Object.fromEntries(names.map(name => [name, times[name]![i]!])),
  })),
})
