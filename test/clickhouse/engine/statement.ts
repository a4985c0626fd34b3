/** What a request asks of the engine: ClickHouse's HTTP interface, as far as its official client uses it. */
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'

export interface Statement {
  readonly sql: string
  /** The data of an insert, where it is apart from the statement. */
  readonly data: Buffer | undefined
  readonly format: string
  readonly database: string | undefined
  /** Written as the engine's escaped text, as they come. */
  readonly parameters: Readonly<Record<string, string>>
  readonly settings: Readonly<Record<string, string>>
  readonly id: string
  readonly isCompressed: boolean
}

/** Parameters of a request that are no settings. */
const others = new Set([
  ...['query', 'database', 'default_format', 'query_id', 'user', 'password', 'role', 'session_id'],
  ...['session_timeout', 'session_check', 'compress', 'decompress', 'enable_http_compression'],
  ...[
    'wait_end_of_query',
    'buffer_size',
    'send_progress_in_http_headers',
    'stacktrace',
    'quota_key',
  ],
  ...['http_headers_progress_interval_ms', 'cancel_http_readonly_queries_on_client_close'],
])

export async function readStatement(request: IncomingMessage): Promise<Statement> {
  const asked = new URL(request.url!, 'http://engine').searchParams
  const body = await bodyOf(request)
  const query = asked.get('query')
  const isInsert = query !== null && /^\s*insert\b[\s\S]*\bformat\s+\w+\s*$/i.test(query)
  const settings: Record<string, string> = {}
  const parameters: Record<string, string> = {}
  for (const [name, value] of asked) {
    if (name.startsWith('param_')) parameters[name.slice(6)] = value
    else if (!others.has(name)) settings[name] = value
  }
  if (request.method === 'GET') settings.readonly ??= '2'
  const accepts = String(request.headers['accept-encoding'] ?? '')
  return {
    sql: isInsert ? query.trimEnd() : `${query ?? ''}${query ? ' ' : ''}${body.toString()}`.trim(),
    data: isInsert ? body : undefined,
    format: asked.get('default_format') ?? header(request, 'x-clickhouse-format') ?? 'TabSeparated',
    database: asked.get('database') ?? header(request, 'x-clickhouse-database'),
    parameters,
    settings,
    id: asked.get('query_id') ?? crypto.randomUUID(),
    isCompressed: asked.get('enable_http_compression') === '1' && accepts.includes('gzip'),
  }
}

/** The setting's name is an identifier, or throws; its value may be any text. */
export function settingsText(settings: Readonly<Record<string, string>>): string | undefined {
  const each = Object.entries(settings).map(([name, value]) => {
    if (!/^\w+$/.test(name)) throw new Error(`no name of a setting: ${name}`)
    return `${name} = '${value.replace(/[\\']/g, '\\$&')}'`
  })
  return each.length > 0 ? `SET ${each.join(', ')}` : undefined
}

/** Whether it changes what is stored. */
export function isInsert(statement: Statement): boolean {
  return /^\s*insert\b/i.test(statement.sql)
}

/** Whether it is an insert that is known by a token if it comes again, as those of records are. */
export function hasToken({ sql, settings }: Statement): boolean {
  const name = 'insert_deduplication_token'
  return name in settings || sql.includes(name)
}

/** The password that a request brings; empty when it has none. */
export function passwordOf(request: IncomingMessage): string {
  const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  const decoded = Buffer.from(basic ?? '', 'base64').toString()
  const asked = new URL(request.url!, 'http://engine').searchParams
  return (
    header(request, 'x-clickhouse-key') ?? asked.get('password') ?? decoded.replace(/^[^:]*:?/, '')
  )
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

/** Rejects when it does not decode, or the connection is cut. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  if (request.headers['content-encoding'] !== 'gzip') return buffer(request)
  const decoder = createGunzip()
  request.on('error', error => decoder.destroy(error))
  return buffer(request.pipe(decoder))
}
