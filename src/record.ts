/**
 * What everything here is about: a log record and the stream it belongs to.
 *
 * A record is made once, by `ingest/`, and never changes afterwards. Its attributes are a flat list
 * of names and values in turn, not an object: any text may be a name (`__proto__` too), and one list
 * costs a fraction of an object or a Map per event on the ingest path.
 */

/** Unix time in milliseconds, an integer within ±8.64e15 (the range of a JavaScript Date). */
export type Timestamp = number

/** Times from `startTime` to `endTime`, both of them in it. */
export interface TimeRange {
  readonly startTime: Timestamp
  readonly endTime: Timestamp
}

/** From when to when something is. */
export interface Times {
  readonly minTimestamp: Timestamp
  readonly maxTimestamp: Timestamp
}

/** How many records there are somewhere, and of which times. */
export interface RecordTimes extends Times {
  readonly recordCount: number
}

/** So much earlier: where the records of a query with an \`offset\` are. */
export function earlier({ startTime, endTime }: TimeRange, offsetMs: number): TimeRange {
  return { startTime: startTime - offsetMs, endTime: endTime - offsetMs }
}

/** The last time there is; the first is as long before 1970. */
export const timeMax = 8.64e15

/** A record's place in the order of arrival: counts up by one per record, never reused. */
export type Sequence = number

/** Where a record came from; both come from its ingestion token and are never empty. */
export interface Stream {
  readonly service: string
  readonly environment: string
}

export interface LogRecord {
  readonly timestamp: Timestamp
  /** Lower case, one of the words in `ingest/level.ts`. */
  readonly level: string
  readonly message: string
  /** Names and values in turn; a name stands once; never `service.name` or `environment`. */
  readonly attributes: readonly string[]
  /** Of the attributes, names and values, so many came with it, and stages have made those behind. Absent
   *  of a record that came through none. */
  readonly ownLength?: number
}

/** The labels that every record has; all other labels are its attributes. */
export const streamLabels = { service: 'service.name', environment: 'environment' } as const
export const levelLabel = 'log_level'
/** What distinguishes streams, where each level of a service is a stream of its own. */
export const seriesLabels: readonly string[] = [
  streamLabels.service,
  streamLabels.environment,
  levelLabel,
]
export const messageLabel = 'message'

/** The label that says of which kind a record's message is, where no attribute has that name. */
export const patternLabel = 'pattern'
/** How the ids of patterns begin; the number is the version of the rules that make them. */
export const patternIdPrefix = 'p1-'

/** The attribute that has the nanoseconds of a time that is finer than its record's. */
export const nanosecondsAttribute = 'timestamp_ns'
