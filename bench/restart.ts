/**
 * How long is a start after `kill -9`, and what memory does it take? `node bench/restart.ts
 * [--megabytes 1000] [--rounds 3] [--seed 1] [--json FILE] [--quick]`.
 *
 * The journal is made by the journal's own code, as nothing had been sealed: once in large frames, as
 * requests with many events make them, once in frames of 32 events, as single events do under load.
 * Time is from the start of the process to its line `listening on`; memory is the peak until the last
 * journal file was read, before sealing begins. Both are compared with a start on a journal of one frame. Cold:
 * the files are not in the machine's memory. Asked: 2 s and 64 MB for each GB.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { endWithThisProcess } from '../test/service/end-with-this-process.ts'
import { readCpuSeconds, readMemory } from './child.ts'
import { launcher } from './launcher.ts'
import { readOptions } from './options.ts'
import { dropPageCache } from './page-cache.ts'
import { type BenchRow, writeResults } from './results.ts'
import { adminKey, benchDataDir } from './service.ts'
import { machineLine, median, printTable, whole } from './table.ts'
import { writeUnsealedJournal } from './unsealed-journal.ts'

const { megabytes, rounds, seed, json } = readOptions({
  integers: {
    megabytes: { usual: 1_000, quick: 10 },
    rounds: { usual: 3, quick: 1 },
    seed: 1,
  },
})
const bytes = megabytes * 1e6
const directory = join(benchDataDir, 'restart')

interface Start {
  readonly readyMs: number
  /** CPU time until then, of all threads: does not depend on what else the machine does. */
  readonly cpuMs: number
  /** Peak when the journal had been read, and when the service was ready. */
  readonly recoveredBytes: number
  readonly readyBytes: number
}

interface Journal {
  readonly name: string
  readonly path: string
  readonly bytes: number
  readonly records: number
}

fs.rmSync(directory, { recursive: true, force: true })
const base = join(directory, 'base')
fs.mkdirSync(base, { recursive: true })
await start(base) // Makes catalog and keys, which every start then finds.
const small = await makeJournal('one frame', 1, 32)
const journals = [
  await makeJournal('frames of 700 events', bytes, 700),
  await makeJournal('frames of 32 events', bytes, 32),
]
const rows: string[][] = []
const results: BenchRow[] = []
for (const isCold of [false, true]) {
  const without = await starts(small, isCold)
  for (const journal of journals) {
    const found = await starts(journal, isCold)
    const gigabytes = journal.bytes / 1e9
    const more = (of: (start: Start) => number) => median(found.map(of)) - median(without.map(of))
    const work = `${journal.name}, ${isCold ? 'cold' : 'warm'}`
    results.push({
      work,
      measures: {
        'ready ms': found.map(({ readyMs }) => readyMs),
        'CPU until ready ms': found.map(({ cpuMs }) => cpuMs),
        'journal read, peak MB': found.map(({ recoveredBytes }) => recoveredBytes / 1e6),
        'ready, peak MB': found.map(({ readyBytes }) => readyBytes / 1e6),
      },
    })
    rows.push([
      work,
      whole(journal.bytes / 1e6),
      whole(journal.records),
      whole(median(without.map(({ readyMs }) => readyMs))),
      whole(median(found.map(({ readyMs }) => readyMs))),
      whole(more(({ readyMs }) => readyMs) / gigabytes),
      whole(more(({ cpuMs }) => cpuMs) / gigabytes),
      whole(more(({ recoveredBytes }) => recoveredBytes) / 1e6),
      whole(median(found.map(({ readyBytes }) => readyBytes)) / 1e6),
    ])
  }
}
console.log(`${machineLine()}; median of ${rounds} starts each\n`)
printTable(
  'Journal: | MB | Records | Ready without it, ms | Ready, ms | More ms a GB' +
    ' | More CPU ms a GB | More MB | Peak at ready, MB',
  rows,
)
fs.rmSync(directory, { recursive: true })
writeResults(json, { bench: 'restart', conditions: { megabytes, seed }, rows: results })

async function makeJournal(name: string, size: number, recordsPerFrame: number): Promise<Journal> {
  const path = join(directory, name)
  fs.mkdirSync(path)
  const made = await writeUnsealedJournal(path, size, recordsPerFrame, seed)
  return { name, path, bytes: made.bytes, records: made.records }
}

async function starts(journal: Journal, isCold: boolean): Promise<Start[]> {
  const found: Start[] = []
  for (let round = 0; round < rounds; round++) {
    const dataDir = join(directory, 'data')
    fs.cpSync(base, dataDir, { recursive: true })
    fs.rmSync(join(dataDir, 'journal'), { recursive: true })
    fs.mkdirSync(join(dataDir, 'journal'))
    for (const name of fs.readdirSync(journal.path)) {
      // A start changes no journal file; sealing only takes away its name.
      fs.linkSync(join(journal.path, name), join(dataDir, 'journal', name))
    }
    if (isCold && !dropPageCache()) throw new Error('only root can empty the page cache')
    if (!isCold)
      for (const name of fs.readdirSync(journal.path)) readThrough(join(journal.path, name))
    found.push(await start(dataDir))
    fs.rmSync(dataDir, { recursive: true })
  }
  return found
}

function readThrough(path: string): void {
  fs.readFileSync(path)
}

/** Starts the service and kills it when it is ready. */
async function start(dataDir: string): Promise<Start> {
  const startedAt = performance.now()
  const argv = [launcher, 'serve', '--port', '0', '--data-dir', dataDir, '--admin-key', adminKey]
  const child = spawn(process.execPath, argv, {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  endWithThisProcess(child)
  const exited = once(child, 'exit')
  let recoveredBytes = Number.NaN
  createInterface({ input: child.stderr }).on('line', line => {
    const { msg, number, of } = JSON.parse(line)
    if (msg !== 'journal file recovered' || number !== of) return
    recoveredBytes = readMemory(child.pid!).peakBytes
  })
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('listening on')) continue
    const readyMs = performance.now() - startedAt
    const readyBytes = readMemory(child.pid!).peakBytes
    const cpuMs = readCpuSeconds(child.pid!) * 1_000
    child.kill('SIGKILL')
    await exited
    return { readyMs, cpuMs, recoveredBytes, readyBytes }
  }
  throw new Error('the service did not start')
}
