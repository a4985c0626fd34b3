/**
 * An engine of the tests as a process: `server.ts PATH [PORT [PASSWORD]]`. Speaks ClickHouse's HTTP interface
 * on loopback, prints its URL when it listens, and lets go wrong what is sent to `/faults` (`faults.ts`).
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { Engine, type Outcome } from './engine.ts'
import { FaultState, type Faults } from './faults.ts'
import { exception, refusalOf } from './refusal.ts'
import { hasToken, isInsert, passwordOf, readStatement, type Statement } from './statement.ts'

const [path = '', port = '0', password = ''] = process.argv.slice(2)
if (path === '') throw new Error('a directory is expected')

const engine = await Engine.open(path)
const faults = new FaultState()
// Statements have their values in the address. A test that is slow is not cut off between two of them.
const options = { maxHeaderSize: 1 << 20, keepAliveTimeout: 600_000 }
const server = createServer(options, (request, response) => {
  serve(request, response).catch(() => request.socket.destroy()) // Cut while it was read or answered.
})
server.listen(Number(port), '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url!, 'http://engine')
  if (pathname === '/faults') {
    faults.set((await json(request)) as Faults)
    response.end()
    return
  }
  if (faults.takes('badGateways')) {
    request.resume()
    response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>503 Service Unavailable</h1>')
    return
  }
  await wait(faults.now.delayMs ?? 0)
  response.setHeader('x-clickhouse-server-display-name', 'engine of the tests')
  response.setHeader('x-clickhouse-timezone', 'UTC')
  const hasQuery = request.method === 'POST' || request.url!.includes('query=')
  if (pathname === '/ping' || !hasQuery) response.end('Ok.\n')
  else if (pathname !== '/') response.writeHead(404).end(`There is no handle ${pathname}\n`)
  else await answer(request, response)
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const statement = await readStatement(request)
  response.setHeader('x-clickhouse-query-id', statement.id)
  try {
    if (passwordOf(request) !== password) {
      const text = 'default: Authentication failed: password is incorrect'
      throw exception(516, 'AUTHENTICATION_FAILED', text)
    }
    const outcome = isInsert(statement) ? await insert(statement) : await engine.run(statement)
    if (outcome === undefined) request.socket.destroy()
    else send(statement, outcome, response)
  } catch (error) {
    const { status, code, text } = refusalOf(error, engine.version)
    response.setHeader('x-clickhouse-exception-code', code)
    response.writeHead(status, { 'content-type': 'text/plain; charset=UTF-8' }).end(text)
  }
}

/** Undefined where a fault keeps the answer back. */
async function insert(statement: Statement): Promise<Outcome | undefined> {
  if (faults.now.isFull) {
    const text = 'Cannot reserve 1.00 MiB, not enough space'
    throw exception(243, 'NOT_ENOUGH_SPACE', text)
  }
  if (faults.now.dies === 'before-insert') process.kill(process.pid, 'SIGKILL')
  const isOfRecords = hasToken(statement)
  if (isOfRecords && faults.takes('droppedInserts')) return undefined
  const outcome = await engine.run(statement)
  if (faults.now.dies === 'after-insert') process.kill(process.pid, 'SIGKILL')
  return isOfRecords && faults.takes('unansweredInserts') ? undefined : outcome
}

function send(statement: Statement, { bytes, summary }: Outcome, response: ServerResponse): void {
  const format = /\bformat\s+(\w+)\s*;?\s*$/i.exec(statement.sql)?.[1] ?? statement.format
  const body = statement.isCompressed ? gzipSync(bytes, { level: 1 }) : bytes
  response.setHeader('x-clickhouse-format', format)
  response.setHeader('x-clickhouse-summary', JSON.stringify(summary))
  response.setHeader('content-type', contentTypes.get(format) ?? 'application/octet-stream')
  if (statement.isCompressed) response.setHeader('content-encoding', 'gzip')
  if (bytes.length === 0 || isInsert(statement) || !faults.takes('halves')) {
    response.end(body)
    return
  }
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy())
}

const contentTypes: ReadonlyMap<string, string> = new Map([
  ['JSON', 'application/json; charset=UTF-8'],
  ['JSONCompact', 'application/json; charset=UTF-8'],
  ['JSONEachRow', 'application/x-ndjson; charset=UTF-8'],
  ['JSONCompactEachRow', 'application/x-ndjson; charset=UTF-8'],
  ['TabSeparated', 'text/tab-separated-values; charset=UTF-8'],
])
