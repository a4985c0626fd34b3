/**
 * A record as Loki's API has it: an entry of a stream, with structured metadata. `http/resources/loki/`
 * says which is which, and why. It is here because the tail's thread makes entries, too.
 */
import { logqlName } from '../../language/logql-names.ts'
import { newNamedValues } from '../../named-values.ts'
import { levelLabel, nanosecondsAttribute, streamLabels } from '../../record.ts'
import type { AnswerRecord } from '../store.ts'

/** Names and values; no prototype: any text may be a name. */
export type LokiLabels = Readonly<Record<string, string>>

export interface LokiEntry {
  /** What distinguishes streams. */
  readonly stream: LokiLabels
  /** All else that the record came with. Shares no name with `stream`. */
  readonly metadata: LokiLabels
  /** What stages have made of it; what went wrong is among them. Shares no name with the others. */
  readonly parsed: LokiLabels
  /** Nanoseconds since 1970. */
  readonly time: bigint
  readonly line: string
}

/** Our labels that distinguish streams: those of the ingestion token. */
export const lokiStreamLabels: readonly string[] = [streamLabels.environment, streamLabels.service]

const nanosecondsPerMs = 1_000_000n

/** What is put after a name that is taken already, as LogQL's parsers do. */
const takenSuffix = '_extracted'

export function lokiEntry(record: AnswerRecord): LokiEntry {
  const { timestamp, log_level, message, attributes, made = [] } = record
  const isMade = new Set(made)
  const stream = newNamedValues<string>()
  for (const label of lokiStreamLabels) stream[logqlName(label)] = attributes[label]!
  const metadata = newNamedValues<string>()
  metadata[logqlName(levelLabel)] = log_level
  const parsed = newNamedValues<string>()
  const renamed: string[] = []
  for (const name in attributes) {
    if (lokiStreamLabels.includes(name)) continue
    // A name that is LogQL's as it is keeps it, whatever others would become.
    if (logqlName(name) === name && !(name in stream) && !(name in metadata)) {
      const labels = isMade.has(name) ? parsed : metadata
      labels[name] = attributes[name]!
    } else {
      renamed.push(name)
    }
  }
  for (const name of renamed) {
    let free = logqlName(name)
    while (free in stream || free in metadata || free in parsed) free += takenSuffix
    const labels = isMade.has(name) ? parsed : metadata
    labels[free] = attributes[name]!
  }
  return { stream, metadata, parsed, time: timeOf(timestamp, attributes), line: message }
}

/** To the nanosecond where the sender was so exact. */
function timeOf(timestamp: number, attributes: AnswerRecord['attributes']): bigint {
  const time = BigInt(timestamp) * nanosecondsPerMs
  const exact = attributes[nanosecondsAttribute]
  if (exact === undefined || !/^-?\d{1,22}$/.test(exact)) return time
  const beyond = BigInt(exact) - time
  // Any sender may have an attribute of this name: it counts where it agrees.
  return 0n <= beyond && beyond < nanosecondsPerMs ? time + beyond : time
}
