/** What went through an export so far, counted on the way and told in words. */
import { Transform } from 'node:stream'
import type { Progress } from '../import/progress.ts'
import { byteText, numberText } from '../table.ts'

export interface Passed {
  readonly startedAtMs: number
  bytes: number
  /** Undefined where a line is not a record: in CSV, and in what is compressed. */
  records: number | undefined
}

/** Lets everything through, and counts it. */
export function counter(passed: Passed): Transform {
  return new Transform({
    transform(chunk: Buffer, _, done) {
      passed.bytes += chunk.length
      if (passed.records !== undefined) passed.records += lineFeeds(chunk)
      done(null, chunk)
    },
  })
}

export function exportProgress({ startedAtMs, bytes, records }: Passed): Progress {
  return {
    elapsedMs: performance.now() - startedAtMs,
    recordCount: records,
    sentBytes: bytes,
    share: undefined,
  }
}

/** `wrote 1,234 records, 4.7 MiB, to day.ndjson in 0.3 s` */
export function exportSummary({ startedAtMs, bytes, records }: Passed, path: string): string {
  const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1)
  const count = records === undefined ? '' : `${numberText(records)} records, `
  return `wrote ${count}${byteText(bytes)}, to ${path} in ${seconds} s`
}

function lineFeeds(chunk: Buffer): number {
  let count = 0
  for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) count++
  return count
}
