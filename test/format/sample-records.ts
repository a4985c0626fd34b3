/** The records that went into the samples of segments. */
import fs from 'node:fs'
import { join } from 'node:path'
import type { StreamRecord } from '../segment/sealed.ts'

/** Where the samples are. */
export const samples = import.meta.dirname

/** The records of a file beside the samples, one a line, in order. */
export function linesOf(name: string): StreamRecord[] {
  const lines = fs.readFileSync(join(samples, name), 'utf8').trimEnd().split('\n')
  return lines.map(line => JSON.parse(line))
}

/**
 * The records of a sample such as `v1.seg`, in order. They are the same in all of them, but for what was
 * added later: decimal numbers in format 3, a second and a third block of the first stream in format 2.
 */
export function recordsOfSample(name: string): StreamRecord[] {
  const all = linesOf('v3.seg.ndjson')
  if (name === 'v3.seg') return all
  const first = all.map(withoutDecimals)
  if (name === 'v2.seg') return first
  if (name === 'v2-values.seg') return first.slice(860)
  if (name === 'v1.seg') return [...first.slice(0, 800), ...first.slice(1_060)]
  throw new Error(`there is no sample ${name}`)
}

function withoutDecimals(record: StreamRecord): StreamRecord {
  const at = record.attributes.findIndex((text, i) => i % 2 === 0 && text === 'seconds')
  return at === -1 ? record : { ...record, attributes: record.attributes.toSpliced(at, 2) }
}
