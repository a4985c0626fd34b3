/** An intake that gathers, so that all of one read is stored at once. */

import type { LogRecord, Timestamp } from '../record.ts'
import type { Intake, IntakeBody, RefusalReason } from './protocols/protocol.ts'

export class GatheredIntake implements Intake {
  readonly receivedAt: Timestamp
  readonly records: LogRecord[] = []
  readonly bodies: IntakeBody[] = []
  readonly replies: Uint8Array[] = []
  readonly refusals = new Map<RefusalReason, number>()
  unreadableTimes = 0
  /** What `fail` was told first. */
  mistake: unknown

  constructor(receivedAt: Timestamp) {
    this.receivedAt = receivedAt
  }

  record(record: LogRecord): void {
    this.records.push(record)
  }

  body(body: IntakeBody): void {
    this.bodies.push(body)
  }

  refuse(reason: RefusalReason, count = 1): void {
    this.refusals.set(reason, (this.refusals.get(reason) ?? 0) + count)
  }

  fail(error: unknown): void {
    this.mistake ??= error
    this.refuse('internal')
  }

  noteUnreadableTime(): void {
    this.unreadableTimes += 1
  }

  reply(bytes: Uint8Array): void {
    this.replies.push(bytes)
  }
}
