/** The write path on a real store in a directory, to which requests are sent under keys. */
import type { Test } from 'tap'
import type { IngestionToken } from '../../../src/catalog/ingestion-tokens.ts'
import { BodyClaim, BodyMemory } from '../../../src/ingest/body-memory.ts'
import { Ingest, type IngestBatchOptions } from '../../../src/ingest/ingest.ts'
import type { LocalStore } from '../../../src/store/local-store.ts'
import { messagesIn, openStoreIn, type StoreInOptions } from '../../store/store-in.ts'

export const checkout: IngestionToken = {
  id: 'token-1',
  stream: { service: 'checkout', environment: 'test' },
}
/** Another of the same service. */
export const other: IngestionToken = { ...checkout, id: 'token-2' }

const memory = new BodyMemory(512 * 1024 * 1024)

export interface IngestOnStore {
  readonly store: LocalStore
  readonly ingest: Ingest
  /** Events that were counted as accepted, and as sent again. */
  readonly counted: { accepted: number; repeated: number }
  one(body: string, key: string | undefined, token?: IngestionToken): Promise<void>
  batch(
    body: string,
    options?: Partial<IngestBatchOptions>,
    token?: IngestionToken,
  ): Promise<Answer>
  /** The messages of all records, in order of time and arrival. */
  messages(): Promise<string[]>
  close(): Promise<void>
}

interface Answer {
  readonly accepted: number
  readonly rejected: number
  readonly errors: readonly unknown[]
  readonly answers?: string
}

/** In a directory of the test, closed with it. */
export async function openIngestOf(
  t: Test,
  dataDir: string,
  options: StoreInOptions = {},
): Promise<IngestOnStore> {
  const there = await openIngestIn(dataDir, options)
  t.teardown(() => there.close())
  return there
}

export async function openIngestIn(
  dataDir: string,
  options: StoreInOptions = {},
): Promise<IngestOnStore> {
  const store = await openStoreIn(dataDir, options)
  const counted = { accepted: 0, repeated: 0 }
  const ingest = new Ingest({
    config: { eventBytesMax: 1 << 20, pendingBytesMax: 256 << 20, ingestThreads: 1 },
    store,
    tokens: { noteUse: () => {} },
    metrics: {
      noteAccepted: events => {
        counted.accepted += events
      },
      noteRepeated: events => {
        counted.repeated += events
      },
      noteRejected: () => {},
      noteUnreadableTimes: () => {},
    },
    now: options.now ?? Date.now,
  })
  return {
    store,
    ingest,
    counted,
    one: (body, key, token = checkout) =>
      ingest.one(Buffer.from(body), token, { timestampField: undefined, ...keyOf(key) }),
    async batch(body, more = {}, token = checkout) {
      const { format = 'events' } = more
      const timestampField = format === 'bulk' ? '@timestamp' : undefined
      const claim = new BodyClaim(memory)
      const asked = { timestampField, ...more, format }
      // In memory of its own, which a thread may be given.
      const own = Buffer.from(new TextEncoder().encode(body).buffer)
      try {
        const { accepted, rejected, errors, answers } = await ingest.batch(own, token, asked, claim)
        return { accepted, rejected, errors, ...(answers && { answers }) }
      } finally {
        claim.end()
      }
    },
    messages: () => messagesIn(store),
    async close() {
      await ingest.close()
      await store.close()
    },
  }
}

/** An `Idempotency-Key`, as an option of a request. */
export function keyOf(text: string | undefined) {
  return text === undefined ? {} : { key: { kind: 'idempotency-key', text } as const }
}
