/**
 * How we speak with ClickHouse: over HTTP, by its official client, which is loaded with the first
 * connection only. Every failure is a `ClickHouseFailed` that says whether the server has spoken.
 */
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { AnswerPieces } from './answer-pieces.ts'

/** Values bound to the `{name:Type}` of a statement, as they are. */
export type QueryParams = Readonly<Record<string, string | number | readonly string[]>>

type Settings = Readonly<Record<string, string | number>>

export interface Statement {
  readonly query: string
  readonly params?: QueryParams
  readonly settings?: Settings
  readonly signal?: AbortSignal
}

/**
 * Codes of ClickHouse's own for what may pass by itself: of one server, and of the others of a cluster, which
 * are away (225, 279, 285, 286), were cut off in the middle (32), or are behind (369).
 */
const passingCodes: ReadonlySet<string> = new Set([
  ...['159', '202', '209', '210', '241', '242', '243', '252', '319', '341', '394', '999'],
  ...['32', '225', '279', '285', '286', '369'],
])

/** ClickHouse's code for a table that is not there. */
export const unknownTable = '60'

export class ClickHouseFailed extends Error {
  override readonly name = 'ClickHouseFailed'
  /** The server's code of its refusal; undefined when it has not spoken: what it did is not known then. */
  readonly code: string | undefined

  constructor(message: string, code: string | undefined, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }

  /** Whether the same may succeed later with nothing changed. */
  get isPassing(): boolean {
    return this.code === undefined || passingCodes.has(this.code)
  }
}

/** So long nothing at all may come from the server, ms. */
const silenceMs = 60_000

export class Connection {
  readonly #client: ClickHouseClient

  private constructor(client: ClickHouseClient) {
    this.#client = client
  }

  /** Asks nothing yet. `url` as `--clickhouse-url` has it. */
  static async open(url: string, timeoutMs = silenceMs): Promise<Connection> {
    const { createClient } = await import('@clickhouse/client')
    const client = createClient({
      url,
      application: 'logstrata',
      request_timeout: timeoutMs,
      // Failures are told by what we throw.
      log: { level: 127 },
    })
    return new Connection(client)
  }

  /** Runs a statement that answers nothing. */
  async command({ query, params = {}, settings = {} }: Statement): Promise<void> {
    await orFailed(
      this.#client.command({
        query,
        query_params: { ...params },
        clickhouse_settings: { ...settings, wait_end_of_query: 1 },
      }),
    )
  }

  /** All rows of a small answer, as objects. Integers of 64 bits may be texts. */
  async rows<Row>({ query, params = {}, settings = {}, signal }: Statement): Promise<Row[]> {
    const answer = await orFailed(
      this.#client.query({
        query,
        format: 'JSONEachRow',
        query_params: { ...params },
        clickhouse_settings: { ...settings, wait_end_of_query: 1 },
        ...(signal && { abort_signal: signal }),
      }),
    )
    return orFailed(answer.json<Row>()) as Promise<Row[]>
  }

  /** Sends rows, which `query` names the table and the format of. Resolves when the server has them. */
  async insert({ query, settings = {} }: Statement, body: Iterable<Buffer>): Promise<void> {
    const values = Readable.from(body, { objectMode: false, highWaterMark: 1 << 20 })
    const sent = this.#client.exec({
      query,
      values,
      clickhouse_settings: { ...settings, wait_end_of_query: 1 },
    })
    const { stream } = await orFailed(sent).finally(() => values.destroy())
    stream.resume()
    await orFailed(finished(stream))
  }

  /**
   * The answer as bytes. The server keeps all of it back until it has its end, so that an answer that begins
   * is whole, unless the connection breaks, which throws.
   */
  async bytes({ query, params = {}, settings = {}, signal }: Statement): Promise<Readable> {
    const { stream } = await orFailed(
      this.#client.exec({
        query,
        query_params: { ...params },
        clickhouse_settings: { ...settings, wait_end_of_query: 1 },
        ...(signal && { abort_signal: signal }),
      }),
    )
    return stream
  }

  /** The whole of an answer whose size is bounded by what is asked, in pieces for `BinaryAnswer`. */
  async binary(statement: Statement): Promise<readonly Buffer<ArrayBuffer>[]> {
    const pieces = new AnswerPieces()
    try {
      for await (const chunk of await this.bytes(statement)) pieces.add(chunk)
    } catch (error) {
      throw failureOf(error)
    }
    return pieces.end()
  }

  close(): Promise<void> {
    return this.#client.close()
  }
}

async function orFailed<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw failureOf(error)
  }
}

/** What went wrong, in one line. */
export function failureOf(error: unknown): ClickHouseFailed {
  if (error instanceof ClickHouseFailed) return error
  const { message, code } = error as Error & { code?: string }
  const isOfServer = code !== undefined && /^\d+$/.test(code)
  const text = (message || code || String(error)).split('\n', 1)[0]!.slice(0, 500)
  return new ClickHouseFailed(text, isOfServer ? code : undefined, { cause: error })
}
