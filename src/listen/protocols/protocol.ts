/** What a listener needs to know of a protocol: how bytes become records, and what is answered. */

import type { FormatName } from '../../ingest/formats/formats.ts'
import type { LogRecord, Timestamp } from '../../record.ts'

/** Why something that was sent is in no record, as `/metrics` counts it. */
export type RefusalReason =
  | 'token_unknown'
  | 'too_large'
  | 'torn'
  | 'unreadable'
  | 'over_limits'
  | 'overloaded'
  | 'storage'
  | 'too_many_connections'
  | 'not_authenticated'
  /** A mistake of ours. */
  | 'internal'

/** A body of many events, the intake's to keep. */
export interface IntakeBody {
  readonly format: FormatName
  readonly bytes: Buffer<ArrayBuffer>
  /** What is said of all its events. */
  readonly given: Readonly<Record<string, string>>
  readonly isGzip: boolean
  /** By which its sender would send it again; undefined: it does not. */
  readonly chunk?: string | undefined
}

/** What one read of a connection, or one datagram, has brought. */
export interface Intake {
  readonly receivedAt: Timestamp
  record(record: LogRecord): void
  /** Messages that are left out; a connection lives on. */
  refuse(reason: RefusalReason, count?: number): void
  /** A message that is left out because its decoder threw what it should not. */
  fail(error: unknown): void
  noteUnreadableTime(): void
  /** Many events in a form of `ingest/formats/`. */
  body(body: IntakeBody): void
  /** Sent when what came before it is on disk. */
  reply(bytes: Uint8Array): void
}

/** Reads one connection, from its beginning to its end. */
export interface StreamReader {
  /** Sent first, before anything has come. */
  readonly greeting?: Uint8Array
  /** Takes what comes next. Throws UnreadableStream when the connection must end; what came before counts. */
  read(bytes: Buffer, intake: Intake): void
  /** The sender has ended in order. */
  end(intake: Intake): void
  /** Memory that waits for what is still to come, in bytes. */
  readonly heldBytes: number
}

export interface DatagramReader {
  /** Takes one datagram; `peer` tells senders apart. */
  read(bytes: Buffer, peer: string, intake: Intake): void
}

export interface Protocol {
  /** As in settings and metrics. */
  readonly name: string
  openStream(): StreamReader
  openDatagrams(): DatagramReader
}
