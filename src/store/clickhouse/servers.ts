/**
 * Several addresses of the same tables: one is asked, and the next when it does not answer. Servers that
 * have tables of their own are no such addresses: records sent to two of them would be in half of the
 * answers, or in one twice. So an address is used when its tables know this front end's number.
 */
import type { Logger } from 'pino'
import { ClickHouseFailed, Connection, failureOf, type Statement } from './connection.ts'
import { isKnownTo } from './front-ends.ts'

interface Server {
  readonly url: string
  readonly connection: Connection
  /** Whether its tables are known to be those of this front end. */
  isOurs: boolean
}

export class Servers {
  readonly #servers: readonly Server[]
  readonly #logger: Logger
  #at = 0
  #frontEnd: string | undefined
  #moving: Promise<boolean> | undefined

  private constructor(servers: readonly Server[], logger: Logger) {
    this.#servers = servers
    this.#logger = logger
  }

  /** Asks nothing yet. */
  static async open(urls: readonly string[], logger: Logger): Promise<Servers> {
    const servers = urls.map(async url => {
      const connection = await Connection.open(url)
      return { url, connection, isOurs: urls.length === 1 }
    })
    return new Servers(await Promise.all(servers), logger)
  }

  /** From now on only what has the number of this front end is asked. */
  belongTo(frontEnd: string): void {
    this.#frontEnd = frontEnd
  }

  /** As `Connection.rows`. */
  rows<Row>(statement: Statement): Promise<Row[]> {
    return this.#ask(connection => connection.rows<Row>(statement), statement.signal)
  }

  /** As `Connection.binary`. */
  binary(statement: Statement): Promise<readonly Buffer<ArrayBuffer>[]> {
    return this.#ask(connection => connection.binary(statement), statement.signal)
  }

  /** As `Connection.command`. What is said twice must be as if it were said once. */
  command(statement: Statement): Promise<void> {
    return this.#ask(connection => connection.command(statement))
  }

  /** The address to ask at present, which is one of this front end's tables. Throws ClickHouseFailed. */
  async url(): Promise<string> {
    if (!this.#server.isOurs) await this.#ask(async () => {})
    return this.#server.url
  }

  /** An address has not answered: whether another is asked from now on. */
  async failed(url: string): Promise<boolean> {
    if (this.#server.url !== url) return true
    this.#moving ??= this.#moveOn().finally(() => {
      this.#moving = undefined
    })
    return this.#moving
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map(({ connection }) => connection.close()))
  }

  get #server(): Server {
    return this.#servers[this.#at]!
  }

  async #ask<T>(work: (connection: Connection) => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let left = this.#servers.length - 1; ; left--) {
      const server = this.#server
      try {
        await this.#admit(server)
        return await work(server.connection)
      } catch (error) {
        const isAway = failureOf(error).code === undefined && signal?.aborted !== true
        if (!isAway || left === 0 || !(await this.failed(server.url))) throw error
      }
    }
  }

  /** Looks for the next one that answers, and is ours. */
  async #moveOn(): Promise<boolean> {
    const count = this.#servers.length
    for (let step = 1; step < count; step++) {
      const next = (this.#at + step) % count
      const server = this.#servers[next]!
      try {
        await server.connection.rows({ query: 'SELECT 1' })
        await this.#admit(server)
      } catch (error) {
        const { message: reason } = failureOf(error)
        this.#logger.warn({ reason }, `address ${next + 1} of --clickhouse-url is no help`)
        continue
      }
      this.#at = next
      this.#logger.warn(`ClickHouse is asked at address ${next + 1} of --clickhouse-url`)
      return true
    }
    return false
  }

  async #admit(server: Server): Promise<void> {
    if (server.isOurs || this.#frontEnd === undefined) return
    if (!(await isKnownTo(this.#frontEnd, server.connection))) {
      const text = 'this address has other tables, in which this front end has no number'
      throw new ClickHouseFailed(
        `${text}: all of --clickhouse-url must be of one cluster`,
        undefined,
      )
    }
    server.isOurs = true
  }
}
