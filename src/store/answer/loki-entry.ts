/**
 * A record as Loki's API has it: an entry of a stream, with structured metadata. `http/resources/loki/`
 * says which is which, and why. It stands here because the tail's thread makes entries, too.
 */
import { logqlName } from '../../language/logql-names.ts'
import { levelLabel, nanosecondsAttribute, streamLabels } from '../../record.ts'
import type { AnswerRecord } from '../store.ts'

/** Names and values; no prototype: any text may be a name. */
export type LokiLabels = Readonly<Record<string, string>>

export interface LokiEntry {
  /** What tells streams from each other. */
  readonly stream: LokiLabels
  /** All else that the record has. Shares no name with `stream`. */
  readonly metadata: LokiLabels
  /** Nanoseconds since 1970. */
  readonly time: bigint
  readonly line: string
}

/** Our labels by which streams are told from each other: those of the ingestion token. */
export const lokiStreamLabels: readonly string[] = [streamLabels.environment, streamLabels.service]

const nanosecondsPerMs = 1_000_000n

/** What is put behind a name that is taken already, as LogQL's parsers do. */
const takenSuffix = '_extracted'

export function lokiEntry({ timestamp, log_level, message, attributes }: AnswerRecord): LokiEntry {
  const stream: Record<string, string> = Object.create(null)
  for (const label of lokiStreamLabels) stream[logqlName(label)] = attributes[label]!
  const metadata: Record<string, string> = Object.create(null)
  metadata[logqlName(levelLabel)] = log_level
  const renamed: string[] = []
  for (const name in attributes) {
    if (lokiStreamLabels.includes(name)) continue
    // A name that is LogQL's as it is keeps it, whatever others would become.
    if (logqlName(name) === name && !(name in stream) && !(name in metadata)) {
      metadata[name] = attributes[name]!
    } else {
      renamed.push(name)
    }
  }
  for (const name of renamed) {
    let free = logqlName(name)
    while (free in stream || free in metadata) free += takenSuffix
    metadata[free] = attributes[name]!
  }
  return { stream, metadata, time: timeOf(timestamp, attributes), line: message }
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
