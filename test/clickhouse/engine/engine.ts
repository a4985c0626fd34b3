/** The engine on its data directory: a statement in, bytes out. */
import { unlink, writeFile } from 'node:fs/promises'
import { type Connection, type Library, loadLibrary } from './library.ts'
import { type Statement, settingsText } from './statement.ts'

const insertForm = /^(.*?)(\s+settings\s.*?)?\s+(format\s+\w+)$/is

export interface Outcome {
  readonly bytes: Buffer
  readonly summary: Readonly<Record<string, string>>
}

/**
 * Each statement has a connection, and so settings, of its own. Those with parameters run one after the
 * other: the library shares them between its connections.
 */
export class Engine {
  readonly #library: Library
  readonly #path: string
  /** Keeps the engine open. */
  readonly #first: Connection
  #afterParameters: Promise<unknown> = Promise.resolve()
  readonly version: string

  private constructor(library: Library, path: string, first: Connection, version: string) {
    this.#library = library
    this.#path = path
    this.#first = first
    this.version = version
  }

  static async open(path: string): Promise<Engine> {
    const library = loadLibrary()
    const first = library.CreateConnection(path)
    const { bytes } = await library.QueryAsyncConnection(first, 'SELECT version()', 'TabSeparated')
    return new Engine(library, path, first, bytes.toString().trim())
  }

  /** Rejects with the engine's text. */
  async run(statement: Statement): Promise<Outcome> {
    const connection = this.#library.CreateConnection(this.#path)
    try {
      await this.#prepare(connection, statement)
      return statement.data !== undefined
        ? await this.#insert(connection, statement, statement.data)
        : await this.#ask(connection, statement)
    } finally {
      this.#library.CloseConnection(connection)
    }
  }

  close(): void {
    this.#library.CloseConnection(this.#first)
  }

  async #prepare(connection: Connection, { database, settings }: Statement): Promise<void> {
    if (database !== undefined && database !== 'default') {
      const name = database.replace(/[\\`]/g, '\\$&')
      await this.#library.QueryAsyncConnection(connection, `USE \`${name}\``, 'Null')
    }
    const set = settingsText(settings)
    if (set !== undefined) await this.#library.QueryAsyncConnection(connection, set, 'Null')
  }

  /** By a file: data within a statement would end at an empty line for the library. */
  async #insert(connection: Connection, { sql }: Statement, data: Buffer): Promise<Outcome> {
    if (data.length === 0) return { bytes: data, summary: {} }
    const [, into = '', settings = '', format = ''] = insertForm.exec(sql) ?? []
    const file = `${this.#path}.insert-${crypto.randomUUID()}`
    await writeFile(file, data)
    try {
      const statement = `${into} FROM INFILE '${file}'${settings} ${format}`
      const done = await this.#library.QueryAsyncConnection(connection, statement, 'Null')
      const summary = {
        written_rows: String(done.rowsRead),
        elapsed_ns: nanoseconds(done.elapsed),
      }
      return { bytes: Buffer.alloc(0), summary }
    } finally {
      await unlink(file)
    }
  }

  async #ask(connection: Connection, statement: Statement): Promise<Outcome> {
    const { sql, format, parameters } = statement
    const ask = () => this.#library.QueryAsyncConnection(connection, sql, format, parameters)
    const hasParameters = Object.keys(parameters).length > 0
    const asked = hasParameters ? this.#afterParameters.then(ask) : ask()
    if (hasParameters) this.#afterParameters = asked.catch(() => undefined)
    const { bytes, rowsRead, bytesRead, elapsed } = await asked
    const summary = {
      read_rows: String(rowsRead),
      read_bytes: String(bytesRead),
      elapsed_ns: nanoseconds(elapsed),
    }
    return { bytes, summary }
  }
}

function nanoseconds(seconds: number): string {
  return String(Math.round(seconds * 1e9))
}
