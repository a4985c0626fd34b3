/**
 * The text of an event stream (WHATWG HTML, 9.2), or of Loki's streams, as it goes to clients. Made in the
 * thread that finds the records, so that the main thread hands bytes on and nothing else; hence here and
 * not in `http/`.
 *
 * What a sender wrote cannot end a line: it is inside JSON, in which a line feed and a carriage
 * return are escapes, and no other character ends a line of an event stream.
 */
import type { RebuiltRecord } from '../../query/scan-task.ts'
import type { Sequence } from '../../record.ts'
import { answerRecord } from '../answer/answers.ts'
import { lokiEntry } from '../answer/loki-entry.ts'
import { recordId } from '../answer/place-text.ts'

/** In which text a tail has its records. */
export type TailForm =
  /** Events, as `recordEvent` makes them. */
  | 'events'
  /** Streams of Loki's API, each with a comma after it. */
  | 'loki-streams'

type TailedRecord = RebuiltRecord & { readonly sequence: Sequence }

/** A record as tails in `form` send it. */
export function recordText(record: TailedRecord, form: TailForm): string {
  return form === 'events' ? recordEvent(record) : lokiStream(record)
}

/** A record as a stream of one entry, with all labels in one place. */
function lokiStream(record: TailedRecord): string {
  const { stream, metadata, parsed, time, line } = lokiEntry(answerRecord(record))
  const labels = JSON.stringify({ ...stream, ...metadata, ...parsed })
  return `{"stream":${labels},"values":[["${time}",${JSON.stringify(line)}]]},`
}

/** A record as an event: its data is what a query answers, its id resumes after it. */
function recordEvent(record: TailedRecord): string {
  return `event: record\nid: ${recordId(record)}\ndata: ${JSON.stringify(answerRecord(record))}\n\n`
}

/** Says that this many matching records are missing at this place. It has no id: who resumes at the
 *  record before it gets what was missing. */
export function droppedEvent(count: number): string {
  return `event: dropped\ndata: {"count":${count}}\n\n`
}

/**
 * A heartbeat. The id makes no event, and yet is kept by the client (WHATWG HTML, 9.2.6): after hours
 * without a match, a search for what it has missed begins here.
 */
export function heartbeat(position: string): string {
  return `:\nid: ${position}\n\n`
}

/** A line that clients skip, for people who look at the stream. */
export function comment(text: string): string {
  return `: ${text}\n\n`
}

/** How long a client should wait before it connects again, ms. */
export function retryHint(milliseconds: number): string {
  return `retry: ${milliseconds}\n\n`
}
