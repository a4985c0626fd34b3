/**
 * The baseline of `stages.ts`: what it takes to parse all lines with the plainest means of JavaScript,
 * already in memory as strings, in as many threads as the service scans with. `JSON.parse` for JSON, one
 * regular expression for the others; nothing is done with what is found.
 */
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { type LineKind, makeStagedRecords } from './staged-lines.ts'

export interface ParseTask {
  readonly kind: LineKind
  readonly seed: number
  readonly count: number
  readonly thread: number
  readonly threadCount: number
}

/** Milliseconds until the last of the threads has parsed its share of the lines. */
export async function timeParsing(
  task: Pick<ParseTask, 'kind' | 'seed' | 'count'>,
  threadCount: number,
): Promise<number> {
  const workers = Array.from({ length: threadCount }, (_, thread) => {
    const workerData: ParseTask = { ...task, thread, threadCount }
    return new Worker(fileURLToPath(import.meta.url), { workerData })
  })
  await Promise.all(workers.map(worker => once(worker, 'message'))) // All have made their lines.
  const startedAt = performance.now()
  const parsed = workers.map(worker => once(worker, 'message'))
  for (const worker of workers) worker.postMessage('parse')
  await Promise.all(parsed)
  const elapsedMs = performance.now() - startedAt
  await Promise.all(workers.map(worker => worker.terminate()))
  return elapsedMs
}

const parsers: Readonly<Record<LineKind, (line: string) => unknown>> = {
  json: line => JSON.parse(line),
  logfmt: line => [...line.matchAll(/([^\s=]+)=("(?:[^"\\]|\\.)*"|\S*)/g)],
  access: line =>
    /^(\S+) - (\S+) \[([^\]]*)\] "(\S+) (\S+) ([^"]*)" (\S+) (\S+) "([^"]*)" "([^"]*)" (\S+) (.*)$/.exec(
      line,
    ),
}

function parseShare({ kind, seed, count, thread, threadCount }: ParseTask): void {
  const lines: string[] = []
  let number = 0
  for (const { line } of makeStagedRecords(kind, { seed, count })) {
    if (number++ % threadCount === thread) lines.push(Buffer.from(line).toString())
  }
  parentPort!.postMessage('ready')
  parentPort!.once('message', () => {
    const parse = parsers[kind]
    let found = 0
    for (const line of lines) if (parse(line) !== null) found++
    parentPort!.postMessage(found)
  })
}

if (!isMainThread && (workerData as Partial<ParseTask> | null)?.threadCount !== undefined) {
  parseShare(workerData as ParseTask)
}
