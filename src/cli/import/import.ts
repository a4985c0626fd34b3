/**
 * `logstrata import`: the lines of files become records of a running service, in order.
 *
 *   source ─▶ lines ─▶ batches ─▶ one request at a time ─▶ totals
 *
 * While a request is under way the next batch is read; at most these two are in memory, whatever
 * the size of a file. Whatever ends an import early, the summary says up to which line it came.
 */

import { CommandError } from '../command-error.ts'
import type { Terminal } from '../terminal.ts'
import { type Batch, batchesOf } from './batches.ts'
import { type ImportOptions, readImportOptions } from './options.ts'
import { startProgress } from './progress.ts'
import { Interrupted, sendBatch } from './send.ts'
import { measureFiles, openSource, type Source } from './source.ts'
import { type Ending, ImportTotals, printTotals, printTotalsJson } from './totals.ts'

const batchLinesMax = 10_000
/** The service's own default limit for a body; beyond it a line could not be taken anyway. */
const lineBytesMax = 64 * 1024 * 1024
/** Long enough for a busy pipe to fill a batch, short enough for somebody who watches. */
const idleMs = 500

/** Resolves with 0 when every line was accepted, 1 when not, 130 when interrupted. Throws ConfigError. */
export async function runImport(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { environment, stdin, stdout, stderr } = terminal
  const options = readImportOptions(argv, environment, stdin.isTTY === true)
  const totals = new ImportTotals(performance.now())
  const ending = await importFiles(options, totals, terminal)

  if (ending?.reason === 'failed') {
    stderr.write(`logstrata: ${ending.message}\n`)
  }
  if (options.json) {
    stdout.write(`${printTotalsJson(totals, performance.now(), ending)}\n`)
  } else if (!options.quiet && totals.files.length > 0) {
    stdout.write(`${printTotals(totals, performance.now(), ending)}\n`)
  }
  if (ending?.reason === 'interrupted') {
    return 130
  }
  return ending === undefined && totals.rejectedCount === 0 ? 0 : 1
}

/** Resolves with what ended the import early, if anything did. */
async function importFiles(
  options: ImportOptions,
  totals: ImportTotals,
  terminal: Terminal,
): Promise<Ending | undefined> {
  const interrupt = terminal.interrupts()
  let stopProgress = () => {}
  try {
    const totalBytes = await measureFiles(options.files)
    const sources: Source[] = []
    if (!options.quiet) {
      stopProgress = startProgress(terminal, () => ({
        elapsedMs: performance.now() - totals.startedAtMs,
        recordCount: totals.acceptedCount,
        sentBytes: totals.sentBytes,
        share: shareRead(sources, totalBytes),
      }))
    }
    // A failed request also ends the wait for input that may never come.
    const stop = new AbortController()
    const signal = AbortSignal.any([interrupt, stop.signal])
    for (const file of options.files) {
      const source = openSource(file, terminal.stdin, signal)
      sources.push(source)
      totals.beginFile(source.name)
      const send = (batch: Batch) => sendAndCount(batch, options, totals, interrupt, terminal)
      await importSource(source, options, send, stop)
    }
    return undefined
  } catch (error) {
    if (interrupt.aborted) {
      return { reason: 'interrupted' }
    }
    if (error instanceof CommandError) {
      return { reason: 'failed', message: error.message }
    }
    throw error
  } finally {
    stopProgress()
  }
}

async function importSource(
  source: Source,
  options: ImportOptions,
  send: (batch: Batch) => Promise<void>,
  stop: AbortController,
): Promise<void> {
  const batches = batchesOf(source, {
    format: options.format,
    batchBytes: options.batchBytes,
    linesMax: batchLinesMax,
    lineBytesMax,
    waitMs: idleMs,
    onFormat: format => {
      if (format === 'text' && options.timestampField !== undefined) {
        throw new CommandError(
          `${source.name} is plain text, which has no field ${JSON.stringify(options.timestampField)}; leave --timestamp-field away, or say --format ndjson`,
        )
      }
    },
  })
  let underWay: Promise<void> = Promise.resolve()
  try {
    for await (const batch of batches) {
      await underWay
      underWay = send(batch)
      underWay.catch(() => stop.abort())
    }
  } finally {
    // If the request failed, its error is the reason, and replaces that of the input it stopped.
    await underWay
  }
}

async function sendAndCount(
  batch: Batch,
  options: ImportOptions,
  totals: ImportTotals,
  interrupt: AbortSignal,
  { pause }: Terminal,
): Promise<void> {
  if (interrupt.aborted) {
    throw new Interrupted('interrupted before a batch was sent')
  }
  const nothing = { acceptedCount: 0, rejectedCount: 0, rejections: [] }
  const isEmpty = batch.lineNumbers.length === 0
  const result = isEmpty ? nothing : await sendBatch(batch, { ...options, interrupt, pause })
  totals.addBatch(batch, result)
}

function shareRead(sources: readonly Source[], totalBytes: number | undefined): number | undefined {
  if (totalBytes === undefined || totalBytes === 0) {
    return undefined
  }
  return sources.reduce((sum, source) => sum + source.bytesRead(), 0) / totalBytes
}
