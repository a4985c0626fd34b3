/**
 * Whether the inner loops of a scan would be faster in WebAssembly with SIMD:
 * `node bench/kernels.ts --binaryen DIR [--rounds 9] [--json FILE] [--quick]`.
 *
 * Each is done over the records of one block, as it is and in WebAssembly: *cold*, the first time in a
 * thread that has just begun, and *hot*, the median of a hundred in a row after as many. What WebAssembly
 * takes must lie in its own memory, and what comes out of files does not: times are with the copies in and
 * out, and without. The module is compiled once and handed to the threads. A wrong result ends it.
 *
 * DIR is where `npm install binaryen@123.0.0` has put the assembler; it is no dependency of ours.
 */
import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { assembly, loops } from './kernels/loops.ts'
import { simdText } from './kernels/simd-text.ts'
import type { LoopTimes } from './kernels/thread.ts'
import { readOptions } from './options.ts'
import { writeResults } from './results.ts'
import { formatTable, machineLine, median } from './table.ts'

const { binaryen, rounds, json } = readOptions({
  integers: { rounds: { usual: 9, quick: 1 } },
  texts: ['binaryen'],
})

const module = binaryen === undefined ? undefined : await assemble(binaryen)
const ways = ['ours', ...(module === undefined ? [] : (['copied', 'inPlace'] as const))] as const
const rows = []
for (const { name } of loops) {
  const measures: Record<string, number[]> = {}
  for (let round = 0; round < rounds; round++) {
    for (const way of ways) {
      const { coldMs, hotMs } = await timesIn(name, way)
      for (const [what, ms] of Object.entries({ cold: coldMs, hot: hotMs })) {
        measures[`${way} ${what} µs`] ??= []
        measures[`${way} ${what} µs`]!.push(1_000 * ms)
      }
    }
  }
  rows.push({ work: name, measures })
}
const names = Object.keys(rows[0]!.measures)
const cells = rows.map(({ work, measures }) => [
  work,
  ...names.map(name => median(measures[name]!).toFixed(0)),
])
console.log(`${machineLine()}\n\n${formatTable(['Loop:', ...names], cells)}`)
writeResults(json, { bench: 'kernels', conditions: { records: 32_768 }, rows })

/** From text to a compiled module, by the package that somebody has installed there. */
async function assemble(directory: string): Promise<object> {
  const root = `${process.cwd()}/`
  const path = new URL(`${directory}/node_modules/binaryen/`, `file://${root}`)
  const { main } = JSON.parse(readFileSync(new URL('package.json', path), 'utf8')) as {
    main: string
  }
  const { default: assembler } = await import(new URL(main, path).href)
  const parsed = assembler.parseText(simdText)
  parsed.setFeatures(assembler.Features.SIMD128)
  assembler.setOptimizeLevel(3)
  parsed.optimize()
  return new assembly.Module(parsed.emitBinary())
}

/** In a thread of its own. */
function timesIn(name: string, way: string): Promise<LoopTimes> {
  return new Promise((resolve, reject) => {
    const program = new URL('./kernels/thread.ts', import.meta.url)
    const worker = new Worker(program, { workerData: { name, way, module } })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}
