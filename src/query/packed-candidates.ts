/**
 * Candidates as they travel from a scan thread: numbers in one array. To copy a small object for each of two
 * hundred takes the main thread a tenth of an answer with a hundred records.
 */
import type { Candidate } from './top-k.ts'

/** Time, sequence, number of the source, offset and bytes of the frame, row. */
const fieldsPerCandidate = 6

export function packCandidates(candidates: readonly Candidate[]): Float64Array {
  const fields = new Float64Array(candidates.length * fieldsPerCandidate)
  let at = 0
  for (const { timestamp, sequence, source, frameOffset, frameBytes, row } of candidates) {
    fields[at] = timestamp
    fields[at + 1] = sequence
    fields[at + 2] = source
    fields[at + 3] = frameOffset
    fields[at + 4] = frameBytes
    fields[at + 5] = row
    at += fieldsPerCandidate
  }
  return fields
}

/** The candidates that were packed, in their order. */
export function unpackCandidates(fields: Float64Array): Candidate[] {
  const candidates: Candidate[] = []
  for (let at = 0; at < fields.length; at += fieldsPerCandidate) {
    candidates.push({
      timestamp: fields[at]!,
      sequence: fields[at + 1]!,
      source: fields[at + 2]!,
      frameOffset: fields[at + 3]!,
      frameBytes: fields[at + 4]!,
      row: fields[at + 5]!,
    })
  }
  return candidates
}
