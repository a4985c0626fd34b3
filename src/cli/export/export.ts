/**
 * `logstrata export`: all records that match, from the service straight to a file or to standard
 * output. Nothing is held: each part is asked for when the one before is written.
 *
 *   answer ─▶ compressed, if it is not yet ─▶ safe, on a terminal ─▶ counted ─▶ file or standard output
 */
import type { IncomingMessage } from 'node:http'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { ConfigError } from '../../config/settings.ts'
import { lost } from '../api.ts'
import { CommandError } from '../command-error.ts'
import { startProgress } from '../import/progress.ts'
import { cannotPrint } from '../output.ts'
import { explainFault } from '../query/fault.ts'
import { byteText } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { cannotWrite, type ExportFile, isOfFile, openExportFile, placeOf } from './file.ts'
import { type ExportOptions, readExportOptions } from './options.ts'
import { counter, exportProgress, exportSummary, type Passed } from './report.ts'
import { requestExport } from './request.ts'
import { terminalFilter } from './terminal.ts'

/** Resolves with 0 when all was written, 130 when interrupted. Throws ConfigError and CommandError. */
export async function runExport(argv: readonly string[], terminal: Terminal): Promise<number> {
  const options = readExportOptions(argv, terminal.environment, Date.now())
  const { output, quiet, format, gzip } = options
  const isShown = output === undefined && terminal.stdout.isTTY === true
  if (gzip && isShown) {
    throw new ConfigError('--gzip', 'compressed data is not for a terminal: give --output FILE')
  }
  const place = output === undefined ? undefined : await placeOf(output)
  const interrupt = terminal.interrupts()
  const isCounted = format === 'ndjson' && !gzip
  const passed = { startedAtMs: performance.now(), bytes: 0, records: isCounted ? 0 : undefined }

  const answer = await requestExport(options, interrupt).catch(error => {
    if (interrupt.aborted) return undefined
    throw explainFault(error, options.query)
  })
  if (answer === undefined) return 130

  const file = place && openExportFile(place)
  const isSilent = quiet || isShown
  const stopProgress = isSilent ? () => {} : startProgress(terminal, () => exportProgress(passed))
  try {
    await write(answer, options, passed, file?.stream, terminal.stdout)
    await file?.finish()
  } catch (error) {
    stopProgress()
    if (file === undefined && isOfReader(error)) return 0
    const left = file?.isPartial ? `; what came so far is in ${JSON.stringify(file.path)}` : ''
    if (interrupt.aborted) {
      terminal.stderr.write(`logstrata: interrupted${left}\n`)
      return 130
    }
    throw explain(error, options, passed, file, left)
  }
  stopProgress()
  if (output !== undefined && !quiet) {
    terminal.stderr.write(`${exportSummary(passed, JSON.stringify(output))}\n`)
  }
  return 0
}

async function write(
  answer: IncomingMessage,
  { gzip, format }: ExportOptions,
  passed: Passed,
  file: Writable | undefined,
  stdout: Terminal['stdout'],
): Promise<void> {
  const isCompressed = answer.headers['content-encoding'] === 'gzip'
  const steps = [
    ...(gzip && !isCompressed ? [createGzip()] : []),
    ...(file === undefined && stdout.isTTY === true ? [terminalFilter(format)] : []),
    counter(passed),
  ]
  // Standard output is not ours to end.
  await pipeline([answer, ...steps, file ?? stdout], { end: file !== undefined })
}

/** Whether the reader of standard output has gone, such as `head` when it has seen enough. */
function isOfReader(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE'
}

function explain(
  error: unknown,
  { api }: ExportOptions,
  { bytes }: Passed,
  file: ExportFile | undefined,
  left: string,
): unknown {
  if (file !== undefined && isOfFile(error)) return cannotWrite(file.path, error)
  if (isOfFile(error)) return cannotPrint(error)
  const reason = lost(error, api)
  const text = reason instanceof Error ? reason.message : String(reason)
  return new CommandError(`the export broke off after ${byteText(bytes)}: ${text}${left}`, {
    cause: error,
  })
}
