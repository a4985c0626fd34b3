/**
 * What `systemd-journal-upload` (252, 258) posts to `/upload`: entries of the journal, in a body that goes on
 * as long as there are more. Each piece of whole entries is on disk before more of the body is read, and the
 * answer comes when the body has ended; only then does the uploader note how far it came.
 *
 * A disk that is full, or busy, is waited for: the uploader would end with anything but 2xx, and begin anew
 * with all of the body. Entries that cannot be read are left out for the same reason. What it sends again is
 * known by its `__CURSOR`, and counts once.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { memoryPerBodyByte } from '../../../ingest/body-memory.ts'
import { EntryCutter } from '../../../ingest/formats/journald/entry-cutter.ts'
import { mayPass, ProblemError } from '../../../problems.ts'
import type { Reply } from '../../reply/reply.ts'
import type { DescribedRoute, StreamedRequest } from '../../route.ts'
import type { SenderDependencies } from './sender.ts'

const contentType = 'application/vnd.fdo.journal'

/** How long a piece waits before it is tried again when there is no room for it, ms. */
const retryMs = 100

const entries = `__CURSOR=s=3d2;i=1;b=6f0;m=2a;t=660;x=1
__REALTIME_TIMESTAMP=1795183402118077
PRIORITY=3
SYSLOG_IDENTIFIER=checkout
_HOSTNAME=web-1
MESSAGE=payment timed out

`

export function journaldUpload(dependencies: SenderDependencies): DescribedRoute {
  return {
    method: 'POST',
    path: '/upload',
    access: 'ingestion-token',
    body: 'streamed',
    contentTypes: [contentType],
    handle: request => new Upload(request, dependencies).carryOut(),
    about: {
      id: 'uploadJournal',
      tag: 'Senders',
      summary: "Send entries of systemd's journal",
      description: `In the Journal Export Format, as \`systemd-journal-upload\` and \`journalctl -o export\` have it; the body may go on
for ever. \`MESSAGE\` is the event, \`__REALTIME_TIMESTAMP\` its time and \`PRIORITY\` its level; other fields are attributes by
their names in the journal, but for \`__CURSOR\`, by which an entry that is sent again counts once. Entries are stored as
they come; while the disk is full or busy, the body waits.

An entry that cannot be read costs no other: the answer is 202 all the same, and says how many were left out.`,
      body: {
        contents: { [contentType]: { schema: Type.String(), example: entries } },
      },
      answers: {
        202: {
          description: 'All is stored.',
          contents: { 'text/plain': { schema: Type.String(), example: 'OK.' } },
        },
      },
      problems: ['journal_invalid', 'storage_failed', 'body_too_large'],
      sample: { contentType, body: entries },
    },
  }
}

class Upload {
  readonly #request: StreamedRequest
  readonly #dependencies: SenderDependencies
  readonly #cutter: EntryCutter
  #rejectedCount = 0

  constructor(request: StreamedRequest, dependencies: SenderDependencies) {
    this.#request = request
    this.#dependencies = dependencies
    this.#cutter = new EntryCutter(dependencies.config.eventBytesMax)
  }

  async carryOut(): Promise<Reply> {
    const cutter = this.#cutter
    for await (const piece of this.#request.pieces) {
      const { tooLargeCount } = cutter
      await this.#store(cutter.push(piece))
      if (cutter.failure !== undefined) throw cutter.failure
      this.#noteTooLarge(cutter.tooLargeCount - tooLargeCount)
    }
    await this.#store(cutter.end())
    const count = this.#rejectedCount
    const body = count === 0 ? 'OK.\n' : `OK. ${count} entries cannot be read, and were left out.\n`
    return { status: 202, contentType: 'text/plain', body }
  }

  #noteTooLarge(count: number): void {
    if (count === 0) return
    this.#rejectedCount += count
    this.#dependencies.ingest.noteRejected('body_too_large', count)
  }

  /** Tries until there is room. Rejects when its sender goes, may no longer send, or the service stops. */
  async #store(entries: Buffer<ArrayBuffer> | undefined): Promise<void> {
    const { pieces, memory, requireGrant } = this.#request
    requireGrant()
    for (;;) {
      const heldBytes = this.#cutter.heldBytes + memoryPerBodyByte * (entries?.length ?? 0)
      try {
        memory.resize(heldBytes)
        if (entries !== undefined) await this.#storeNow(entries)
        memory.resize(this.#cutter.heldBytes)
        return
      } catch (error) {
        if (!mayPass(error)) throw error
      }
      await sleep(retryMs)
      pieces.requireLife()
      requireGrant()
    }
  }

  async #storeNow(entries: Buffer<ArrayBuffer>): Promise<void> {
    const { token, memory } = this.#request
    const { ingest } = this.#dependencies
    ingest.checkRoom()
    const { parse } = token
    const options = { format: 'journald', timestampField: undefined, parse } as const
    try {
      // A copy: what is handed over is gone when there turns out to be no room.
      const { rejected } = await ingest.batch(Buffer.from(entries), token, options, memory)
      this.#rejectedCount += rejected
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'events_unreadable') throw error
      this.#rejectedCount += Number(error.extras.members?.rejected ?? 1)
    }
  }
}
