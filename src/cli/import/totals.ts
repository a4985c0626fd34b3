/** Counts what became of the lines of an import, and prints the sum for people and for programs. */
import { numberText } from '../table.ts'
import type { Batch, Rejection } from './batches.ts'
import type { SendResult } from './send.ts'

/** Rejections kept with their place; the count of them is exact beyond. */
const rejectionsKept = 100
const rejectionsPrinted = 10

export class ImportTotals {
  readonly startedAtMs: number
  readonly files: string[] = []
  acceptedCount = 0
  rejectedCount = 0
  repairedCount = 0
  /** Bytes of request bodies that were answered, before compression. */
  sentBytes = 0
  readonly rejections: (Rejection & { readonly file: string })[] = []
  /** The last line that is dealt with, of the last of `files`. */
  lastLine = 0

  /** A time as `performance.now()` returns it. */
  constructor(startedAtMs: number) {
    this.startedAtMs = startedAtMs
  }

  beginFile(file: string): void {
    this.files.push(file)
    this.lastLine = 0
  }

  addBatch(batch: Batch, result: SendResult): void {
    this.acceptedCount += result.acceptedCount
    this.rejectedCount += result.rejectedCount + batch.rejections.length
    this.repairedCount += batch.repairedCount
    this.sentBytes += batch.body.length
    this.lastLine = batch.lastLine
    const file = this.files.at(-1) ?? ''
    const rejections = [...batch.rejections, ...result.rejections]
    rejections.sort((a, b) => a.line - b.line)
    for (const rejection of rejections.slice(0, rejectionsKept - this.rejections.length)) {
      this.rejections.push({ file, ...rejection })
    }
  }
}

/** How an import ended, when not at the end of its input. */
export interface Ending {
  readonly reason: 'interrupted' | 'failed'
  /** Why it failed, for people. */
  readonly message?: string
}

/**
 * The summary of an import for people: a line of totals, then the first rejections with file and line.
 * `ending`: undefined while nothing has ended it but the end of its files.
 */
export function printTotals(
  totals: ImportTotals,
  nowMs: number,
  ending: Ending | undefined,
): string {
  const { seconds, recordsPerSecond } = measures(totals, nowMs)
  const verb = { interrupted: 'interrupted', failed: 'stopped', done: 'imported' }
  const lines = [
    `${verb[ending?.reason ?? 'done']}: ${plural(totals.files.length, 'file')}, ${plural(totals.acceptedCount, 'record')} accepted, ${numberText(totals.rejectedCount)} rejected, ${seconds.toFixed(1)} s, ${numberText(Math.round(recordsPerSecond))} records/s`,
  ]
  for (const rejection of totals.rejections.slice(0, rejectionsPrinted)) {
    lines.push(`  ${placeOf(rejection)}: ${rejection.code}: ${rejection.detail}`)
  }
  const restCount = totals.rejectedCount - Math.min(totals.rejections.length, rejectionsPrinted)
  if (restCount > 0) {
    lines.push(`  … and ${numberText(restCount)} more rejected`)
  }
  if (totals.repairedCount > 0) {
    lines.push(
      `  ${plural(totals.repairedCount, 'line')} held bytes that are not UTF-8, now U+FFFD`,
    )
  }
  if (ending !== undefined) {
    lines.push(
      totals.lastLine === 0
        ? `  nothing of ${totals.files.at(-1)} was acknowledged`
        : `  acknowledged up to line ${totals.lastLine} of ${totals.files.at(-1)}`,
    )
  }
  return lines.join('\n')
}

function placeOf({ file, line, untilLine }: ImportTotals['rejections'][number]): string {
  return untilLine === undefined
    ? `${file}:${line}`
    : `${file}, one of lines ${line} to ${untilLine}`
}

/** One line of JSON. */
export function printTotalsJson(
  totals: ImportTotals,
  nowMs: number,
  ending: Ending | undefined,
): string {
  return JSON.stringify({
    files: totals.files.length,
    accepted: totals.acceptedCount,
    rejected: totals.rejectedCount,
    rejections: totals.rejections,
    repairedLines: totals.repairedCount,
    bytes: totals.sentBytes,
    ...measures(totals, nowMs),
    ...(ending === undefined
      ? { ended: 'done' }
      : {
          ended: ending.reason,
          error: ending.message,
          stoppedAt: { file: totals.files.at(-1), line: totals.lastLine },
        }),
  })
}

function measures(
  totals: ImportTotals,
  nowMs: number,
): { seconds: number; recordsPerSecond: number } {
  const seconds = Math.max(nowMs - totals.startedAtMs, 1) / 1000
  return { seconds, recordsPerSecond: totals.acceptedCount / seconds }
}

function plural(count: number, noun: string): string {
  return `${numberText(count)} ${noun}${count === 1 ? '' : 's'}`
}
