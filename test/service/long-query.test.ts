/**
 * While a query's expression runs and runs, the others are answered: also when all records are in one
 * block, or in one range of the journal, and there is one thread to search them.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { runawayText } from '../hostile/runaway-queries.ts'
import { adminKey, type ServiceProcess, startService } from './service-process.ts'

interface Kind {
  readonly recordCount: number
  readonly text: (i: number) => string
  /** All of the records take longer with this than a query may. */
  readonly runaway: string
  /** Of the threads that must be there. */
  readonly niceness: readonly number[]
}

const kinds: Readonly<Record<string, Kind>> = {
  'with many texts': {
    recordCount: 4_000,
    text: runawayText, // 5 ms each.
    runaway: 'logs |~ "[a-z][a-y]{300}[0-9]{1,9}"',
    niceness: [0, 3],
  },
  'with single texts': {
    recordCount: 20,
    text: restlessText, // Each takes longer than others are to wait.
    runaway: 'logs |~ "(?:[x-z]?){100}[0-9][a-z0-9]{40}[A-Z]"',
    niceness: [0, 3, 10],
  },
}

/** Hardly two places of this are alike, so that an automaton needs another state for each of them. */
function restlessText(i: number): string {
  const bytes = createHash('shake256', { outputLength: 300_000 }).update(`${i}`).digest()
  return Array.from(bytes, byte => 'ab01 '[byte % 5]).join('')
}

const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' }

async function start(
  dataDir: string,
  { recordCount, text }: Kind,
  flags: readonly string[],
): Promise<ServiceProcess> {
  const service = await startService(dataDir, { flags: ['--scan-threads', '1', ...flags] })
  const events = Array.from({ length: recordCount }, (_, i) => ({ message: `${i} ${text(i)}` }))
  await service.send(await service.makeToken(), events)
  return service
}

/** Asks as a client that goes away does; `isAnswered` tells whether it was answered before. */
function askAndLeave(service: ServiceProcess, path: string, runaway: string) {
  const gone = new AbortController()
  const body = JSON.stringify({ query: runaway, startTime: 0, endTime: 8.64e15 })
  let isAnswered = false
  const over = fetch(service.url + path, { method: 'POST', headers, body, signal: gone.signal })
    .then(answer => answer.text())
    .then(
      () => {
        isAnswered = true
      },
      () => undefined,
    )
  return {
    isAnswered: () => isAnswered,
    leave: () => {
      gone.abort()
      return over
    },
  }
}

/** Resolves when threads of usual and of long queries are less urgent than others; only Linux tells. */
async function lessUrgentThreads(pid: number, wanted: readonly number[]): Promise<void> {
  const threads = `/proc/${pid}/task`
  // The name, in parentheses, may hold anything; from behind it on, the first field is the third.
  const niceness = (stat: string) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  const areThere = () => {
    const found = fs
      .readdirSync(threads)
      .map(id => niceness(fs.readFileSync(`${threads}/${id}/stat`, 'utf8')))
    return wanted.every(one => found.includes(one))
  }
  if (!fs.existsSync(threads)) return
  const startedAt = performance.now()
  while (!areThere()) {
    if (performance.now() - startedAt > 15_000) throw new Error('all threads are as urgent')
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/** The counts of queries that read all records, asked one after the other. */
async function countsMeanwhile(service: ServiceProcess): Promise<number[]> {
  const counts: number[] = []
  for (let i = 0; i < 3; i++) {
    const { body } = await service.query(`count(logs !~ "[0-9]{5,9}z${i}")`, { limit: 1 })
    counts.push(body.count)
  }
  return counts
}

const places = {
  'in the journal': [],
  'in a block': ['--journal-file-age', '1s'],
}

for (const [place, flags] of Object.entries(places)) {
  for (const [name, kind] of Object.entries(kinds)) {
    t.test(`other queries are answered while one ${name} runs away ${place}`, async t => {
      const { recordCount, runaway, niceness } = kind
      const service = await start(t.testdir(), kind, flags)
      t.teardown(() => service.end('SIGKILL'))
      const isSealed = async () => {
        const { body } = await service.query('count(logs !~ "[0-9]{9}")', { limit: 1 })
        return body.stats.blocksScanned > 0
      }
      if (flags.length > 0) while (!(await isSealed())) await sleep(50)
      for (const path of ['/api/v1/query/logs', '/api/v1/query/logs/export']) {
        const asked = askAndLeave(service, path, runaway)
        t.same(await countsMeanwhile(service), Array(3).fill(recordCount), path)
        await lessUrgentThreads(service.pid, path.endsWith('export') ? [10] : niceness)
        t.same(await countsMeanwhile(service), Array(3).fill(recordCount), path)
        t.equal(asked.isAnswered(), false, `${path} is still under way`)
        await asked.leave()
      }
      t.equal(await service.end(), 0)
    })
  }
}
