/**
 * What a listener is, whatever it listens to: whose records are taken, what is counted, what is said in the
 * log. Streams and datagrams differ in the rest.
 */

import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { IngestionToken, IngestionTokens } from '../catalog/ingestion-tokens.ts'
import type { Config } from '../config/config.ts'
import type { ListenerSetting } from '../config/listener-setting.ts'
import type { BodyClaim, BodyMemory } from '../ingest/body-memory.ts'
import type { Ingest } from '../ingest/ingest.ts'
import type { ListenerMetrics } from '../observe/listener-metrics.ts'
import type { Metrics } from '../observe/metrics.ts'
import { ProblemError } from '../problems.ts'
import type { GatheredIntake } from './gathered-intake.ts'
import type { IntakeBody, Protocol, RefusalReason } from './protocols/protocol.ts'

export interface ListenDependencies {
  readonly tokens: Pick<IngestionTokens, 'named' | 'isLive'>
  readonly ingest: Pick<Ingest, 'records' | 'batch' | 'checkRoom'>
  readonly config: Pick<Config, 'batchBytesMax'>
  readonly metrics: Pick<Metrics, 'noteUnreadableTimes'> & {
    readonly listeners: Pick<ListenerMetrics, keyof ListenerMetrics>
  }
  readonly logger: { warn(fields: object, text: string): void }
  readonly now: () => number
  /** Room for what connections hold. */
  readonly memory: BodyMemory
}

/** The same is said once in this time, ms, however often it happens. */
const sayAgainMs = 60_000

export class Listener {
  readonly protocol: Protocol
  readonly setting: ListenerSetting
  /** As in metrics and the log: `syslog tcp://0.0.0.0:5514`, with the port that it has. */
  name = ''
  readonly dependencies: ListenDependencies
  #token: IngestionToken | undefined
  readonly #saidAt = new Map<string, number>()

  constructor(protocol: Protocol, setting: ListenerSetting, dependencies: ListenDependencies) {
    this.protocol = protocol
    this.setting = setting
    this.dependencies = dependencies
  }

  /** The token whose records come here; undefined as long as there is none of its name. */
  token(): IngestionToken | undefined {
    const { tokens } = this.dependencies
    if (this.#token === undefined || !tokens.isLive(this.#token)) {
      this.#token = tokens.named(this.setting.tokenName)
    }
    return this.#token
  }

  /** What is wrong as long as there is no token; undefined when there is one. */
  get complaint(): string | undefined {
    if (this.token() !== undefined) return undefined
    const named = JSON.stringify(this.setting.tokenName)
    return `${this.name}: there is no ingestion token ${named} (its service/environment, or its id); nothing is taken until there is`
  }

  /** Counts what was left out, and says so at times; of a mistake of ours with where it was thrown. */
  refuse(
    reason: RefusalReason,
    count: number,
    detail: string,
    peer?: string,
    mistake?: unknown,
  ): void {
    this.dependencies.metrics.listeners.noteRefused(this.name, reason, count)
    const now = performance.now()
    if (now - (this.#saidAt.get(reason) ?? Number.NEGATIVE_INFINITY) < sayAgainMs) return
    this.#saidAt.set(reason, now)
    const fields = { listener: this.name, reason, peer }
    this.dependencies.logger.warn(
      mistake === undefined ? fields : { ...fields, err: mistake },
      detail,
    )
  }

  /** Counts what could not be stored, or fell to a mistake of ours, which `error` says. */
  refuseFor(error: unknown, count: number, detail: string, peer: string): void {
    const text = `${detail}: ${error instanceof Error ? error.message : String(error)}`
    if (!(error instanceof ProblemError)) {
      this.refuse('internal', count, `${text}; please report it`, peer, error)
      return
    }
    const reason = error.code === 'ingest_overloaded' ? 'overloaded' : 'storage'
    this.refuse(reason, count, text, peer)
  }

  /** Stores what was read, and counts it. Rejects with the ProblemError of the store. */
  async store({ records }: GatheredIntake, token: IngestionToken, bytes: number): Promise<void> {
    await this.dependencies.ingest.records(records, token, bytes)
    this.dependencies.metrics.listeners.noteRecords(this.name, records.length)
  }

  /** Stores the events of a body, and counts them. Rejects as `store` does; what is held is in `claim`. */
  async storeBody(body: IntakeBody, token: IngestionToken, claim: BodyClaim): Promise<void> {
    const { ingest, config, metrics } = this.dependencies
    ingest.checkRoom()
    const bytes = body.isGzip ? await inflated(body.bytes, config.batchBytesMax) : body.bytes
    const options = { format: body.format, timestampField: undefined, parse: token.parse }
    const { given, chunk } = body
    const key = chunk === undefined ? undefined : ({ kind: 'chunk', text: chunk } as const)
    const taken = { ...options, given, key }
    const { accepted, repeated = 0, rejected } = await ingest.batch(bytes, token, taken, claim)
    metrics.listeners.noteRecords(this.name, accepted - repeated)
    if (rejected > 0) this.refuse('unreadable', rejected, refusalTexts.unreadable!)
  }

  /** Counts what was read and is no record. */
  noteRefusals(intake: GatheredIntake, peer: string): void {
    for (const [reason, count] of intake.refusals) {
      const mistake = reason === 'internal' ? intake.mistake : undefined
      this.refuse(reason, count, refusalTexts[reason] ?? 'messages were left out', peer, mistake)
    }
    if (intake.unreadableTimes > 0) {
      this.dependencies.metrics.noteUnreadableTimes(intake.unreadableTimes)
    }
  }
}

const refusalTexts: Partial<Record<RefusalReason, string>> = {
  too_large: 'messages beyond --max-event-bytes were left out',
  torn: 'a connection ended within a message',
  unreadable: 'messages that cannot be read were left out',
  internal: 'messages were left out by a mistake of ours; please report it, with what is in "err"',
  over_limits: 'messages with too many or too large attributes were left out',
}

const gunzipLater = promisify(gunzip)

/** Throws ProblemError for what is no gzip, or is more than a body may be. */
async function inflated(bytes: Buffer, bytesMax: number): Promise<Buffer<ArrayBuffer>> {
  try {
    return (await gunzipLater(bytes, { maxOutputLength: bytesMax })) as Buffer<ArrayBuffer>
  } catch (error) {
    throw new ProblemError('encoding_broken', `gzip: ${(error as Error).message}`)
  }
}
