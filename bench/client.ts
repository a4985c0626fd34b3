/**
 * A plain HTTP client on connections that are kept: what it takes itself is in every time that a benchmark
 * shows. So it writes a request in one piece, reads into one piece of memory, and has no streams between
 * (`round-trip.ts` shows how much).
 */
import { Connection } from './connection.ts'

interface Waiting {
  readonly ask: (connection: Connection) => void
  readonly fail: (error: Error) => void
}

export class Client {
  readonly #host: string
  readonly #hostname: string
  readonly #port: number
  readonly #connectionsMax: number
  readonly #open = new Set<Connection>()
  /** The one that was used last stands last, and is used next. */
  readonly #free: Connection[] = []
  readonly #waiting: Waiting[] = []

  /** `connections`: how many requests are under way at most; others wait in order. */
  constructor(baseUrl: string, connections = 1) {
    const { host, hostname, port } = new URL(baseUrl)
    this.#host = host
    this.#hostname = hostname
    this.#port = Number(port)
    this.#connectionsMax = connections
  }

  /** Posts a body and gives the answer's text. Throws when the status is not 2xx. */
  post(
    path: string,
    token: string,
    contentType: string,
    body: string | Buffer,
    encoding: 'identity' | 'gzip' = 'identity',
  ): Promise<string> {
    const encoded = encoding === 'identity' ? '' : `Content-Encoding: ${encoding}\r\n`
    const head =
      `POST ${path} HTTP/1.1\r\nHost: ${this.#host}\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: ${contentType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${encoded}\r\n`
    return this.#send(`POST ${path}`, head, body)
  }

  async postJson<T>(path: string, token: string, value: unknown): Promise<T> {
    return JSON.parse(await this.post(path, token, 'application/json', JSON.stringify(value)))
  }

  get(path: string, key?: string): Promise<string> {
    const grant = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`
    const head = `GET ${path} HTTP/1.1\r\nHost: ${this.#host}\r\n${grant}\r\n`
    return this.#send(`GET ${path}`, head, '')
  }

  /** Hangs up; what is under way fails. */
  close(): void {
    for (const connection of this.#open) connection.close()
    for (const { fail } of this.#waiting.splice(0)) fail(new Error('the client was closed'))
  }

  #send(what: string, head: string, body: string | Buffer): Promise<string> {
    return new Promise((resolve, fail) => {
      const ask = (connection: Connection) =>
        connection.ask(head, body, {
          fail,
          answer: ({ status, body: text }) => {
            if (status >= 200 && status < 300) resolve(text)
            else fail(new Error(`${what} was answered ${status}: ${text.slice(0, 500)}`))
          },
        })
      this.#waiting.push({ ask, fail })
      this.#askNext()
    })
  }

  #askNext(): void {
    while (this.#waiting.length > 0) {
      const connection = this.#free.pop() ?? this.#connect()
      if (connection === undefined) return
      this.#waiting.shift()!.ask(connection)
    }
  }

  #connect(): Connection | undefined {
    if (this.#open.size >= this.#connectionsMax) return undefined
    const connection: Connection = new Connection(this.#hostname, this.#port, {
      free: () => {
        this.#free.push(connection)
        this.#askNext()
      },
      closed: () => {
        this.#open.delete(connection)
        const at = this.#free.indexOf(connection)
        if (at !== -1) this.#free.splice(at, 1)
        this.#askNext()
      },
    })
    this.#open.add(connection)
    return connection
  }
}
