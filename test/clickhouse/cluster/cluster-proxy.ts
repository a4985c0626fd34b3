/**
 * Stands before a server of the cluster, and does what ClickHouse's library lacks of a whole one: it runs a
 * statement with `ON CLUSTER` on each of the servers, and what is written to a small table, which would be
 * replicated, on each as well. Tables have no replicas here. And it lets inserts go wrong.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import type { Test } from 'tap'

/** What happens to an insert of records: it is carried out, and nobody hears of it, or it is not. */
export type InsertFault = 'unanswered' | 'dropped'

export interface ClusterProxy {
  readonly url: string
  /** Of the next inserts of records, in order. */
  readonly faults: InsertFault[]
  /** The statements with `ON CLUSTER` that came here, as they were. */
  readonly onCluster: string[]
}

/** `own`: the server's address, which is one of `all`. Ends with the test. */
export async function startProxy(
  t: Test,
  own: string,
  all: readonly string[],
): Promise<ClusterProxy> {
  const faults: InsertFault[] = []
  const onCluster: string[] = []
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const raw = await buffer(request)
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw
    const asked = new URL(request.url!, own)
    const statement = asked.searchParams.get('query') ?? body.toString()
    const ofRecords = /^\s*INSERT INTO otel_logs /.test(statement)
    const fault = ofRecords ? faults.shift() : undefined
    if (fault === 'dropped') return request.socket.destroy()
    let answer: { status: number; headers: Headers; bytes: Buffer }
    if (/ ON CLUSTER 'two'/.test(statement)) {
      onCluster.push(statement)
      answer = await onEach(all, asked, Buffer.from(plainOf(statement)))
    } else if (/^\s*INSERT INTO logstrata_/.test(statement)) {
      answer = await onEach(all, asked, body)
    } else answer = await pass(own, asked, body)
    if (fault === 'unanswered') return request.socket.destroy()
    const { status, headers, bytes } = answer
    response.writeHead(status, Object.fromEntries([...headers].filter(([name]) => isPassed(name))))
    response.end(bytes)
  }
  const server = createServer(
    { maxHeaderSize: 1 << 20, keepAliveTimeout: 600_000 },
    (request, response) => {
      serve(request, response).catch(() => request.socket.destroy()) // The server is away.
    },
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, faults, onCluster }
}

function isPassed(header: string): boolean {
  return header.startsWith('x-clickhouse-') || header === 'content-type'
}

/** For servers without ZooKeeper. */
function plainOf(statement: string): string {
  return statement
    .replace(" ON CLUSTER 'two'", '')
    .replace(/Replicated(\w*MergeTree)\('[^']*', '[^']*'(?:, )?/, '$1(')
    .replace(/\breplicated_deduplication_window =/, 'non_replicated_deduplication_window =')
    .replace(/\breplicated_deduplication_window_seconds = \d+,/, '')
}

/** The first refusal; the last answer when there is none. */
async function onEach(all: readonly string[], asked: URL, body: Buffer) {
  let answer = await pass(all[0]!, asked, body)
  for (const url of all.slice(1)) {
    if (answer.status !== 200) break
    answer = await pass(url, asked, body)
  }
  return answer
}

async function pass(url: string, asked: URL, body: Buffer) {
  const headers = { 'accept-encoding': 'identity' }
  const to = `${url}${asked.pathname}${asked.search}`
  const answer = await fetch(to, { method: 'POST', headers, body })
  return {
    status: answer.status,
    headers: answer.headers,
    bytes: Buffer.from(await answer.arrayBuffer()),
  }
}
