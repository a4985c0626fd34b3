/**
 * Every error that a client can meet, once. Codes are part of the API: add, never rename.
 * The answer's form is RFC 9457 (`application/problem+json`); `http/reply/reply.ts` writes it.
 */

export const problems = {
  head_invalid: { status: 400, title: 'The head of the request is not clear' },
  body_empty: { status: 400, title: 'The request body is empty' },
  json_invalid: { status: 400, title: 'The body is not valid JSON' },
  protobuf_invalid: { status: 400, title: 'The body is not valid protobuf' },
  journal_invalid: { status: 400, title: 'The body is not in the Journal Export Format' },
  body_idle: { status: 408, title: 'Nothing has come of the body for too long' },
  utf8_invalid: { status: 400, title: 'The body is not valid UTF-8' },
  json_too_deep: { status: 400, title: 'The JSON is nested too deeply' },
  encoding_broken: { status: 400, title: 'The body does not decode as its Content-Encoding says' },
  attributes_too_many: { status: 400, title: 'The event has too many attributes' },
  attribute_too_large: { status: 400, title: 'An attribute of the event is too large' },
  events_unreadable: { status: 400, title: 'No event in the body could be read' },
  field_invalid: { status: 400, title: 'A field of the request is not valid' },
  query_syntax: { status: 400, title: 'The query cannot be parsed' },
  query_regex: { status: 400, title: 'A regular expression of the query cannot be used' },
  query_too_large: { status: 400, title: 'The query is too large' },
  query_ambiguous: { status: 400, title: 'Series of the query cannot be told apart' },
  cursor_invalid: { status: 400, title: 'The cursor is not one of ours' },
  credential_missing: { status: 401, title: 'No credential was given' },
  credential_invalid: { status: 401, title: 'The credential is not valid' },
  role_insufficient: { status: 403, title: 'The credential may not do this' },
  cross_site: { status: 403, title: 'The request did not come from our own page' },
  origin_not_allowed: { status: 403, title: 'The token is for pages of other origins' },
  path_unknown: { status: 404, title: 'There is nothing at this path' },
  token_unknown: { status: 404, title: 'There is no such ingestion token' },
  api_key_unknown: { status: 404, title: 'There is no such API key' },
  record_unknown: { status: 404, title: 'There is no such record' },
  trace_unknown: { status: 404, title: 'The record belongs to no trace' },
  dashboard_unknown: { status: 404, title: 'There is no such dashboard' },
  saved_query_unknown: { status: 404, title: 'There is no such saved query' },
  alert_receiver_unknown: { status: 404, title: 'There is no such receiver' },
  alert_rule_unknown: { status: 404, title: 'There is no such rule' },
  alert_silence_unknown: { status: 404, title: 'There is no such silence' },
  not_acceptable: { status: 406, title: 'The answer has none of the forms that are accepted' },
  method_unknown: { status: 405, title: 'The path does not take this method' },
  retention_fixed: { status: 409, title: 'Retention is fixed by how the service was started' },
  saved_queries_too_many: { status: 409, title: 'There are too many saved queries' },
  alert_receivers_too_many: { status: 409, title: 'There are too many receivers' },
  alert_rules_too_many: { status: 409, title: 'There are too many rules' },
  alert_silences_too_many: { status: 409, title: 'There are too many silences' },
  api_key_last_admin: { status: 409, title: 'The last admin key cannot be deleted' },
  backup_under_way: { status: 409, title: 'Another backup is under way' },
  dashboard_changed: { status: 412, title: 'The dashboard was changed meanwhile' },
  body_too_large: { status: 413, title: 'The request body is too large' },
  content_type: { status: 415, title: 'The Content-Type is not one that this path takes' },
  content_encoding: { status: 415, title: 'The Content-Encoding is not known' },
  idempotency_key_reused: { status: 422, title: 'Something else was sent under this key' },
  ingest_overloaded: { status: 429, title: 'Events arrive faster than they can be stored' },
  journal_full: { status: 429, title: 'As many events wait for ClickHouse as may' },
  credential_failures_too_many: {
    status: 429,
    title: 'Too many wrong credentials came from this address',
  },
  browser_rate: { status: 429, title: 'Pages in a browser send too often with this token' },
  queries_overloaded: { status: 503, title: 'Too many queries are under way' },
  exports_too_many: { status: 429, title: 'Too many exports are under way' },
  internal: { status: 500, title: 'The service made a mistake' },
  storage_full: { status: 503, title: 'There is no space left for events' },
  storage_failed: { status: 503, title: 'The events could not be written' },
  clickhouse_unreachable: {
    status: 503,
    title: 'ClickHouse, which has the records, does not answer',
  },
  primary_unreachable: {
    status: 503,
    title: 'The primary, which has the settings, does not answer',
  },
  catalog_failed: { status: 503, title: 'The change could not be saved' },
  not_ready: { status: 503, title: 'The service is not ready' },
  stopping: { status: 503, title: 'The service is stopping' },
  tails_too_many: { status: 503, title: 'Too many clients are tailing' },
  data_damaged: { status: 503, title: 'A part of the data cannot be read' },
  query_timeout: { status: 503, title: 'The query took longer than it may' },
} as const

export type ProblemCode = keyof typeof problems

/** A place in a text that a client sent: line and column count from 1, offset from 0. */
export interface Position {
  readonly line: number
  readonly column: number
  readonly offset: number
}

export interface ProblemExtras {
  /** The field, header or parameter at fault, as the client would write it. */
  readonly field?: string
  readonly position?: Position
  /** Seconds after which trying again makes sense; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number
  /** Further members of the problem document, such as what a parser expected. */
  readonly members?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** A client's mistake, or a refusal that it should hear of. Thrown anywhere, answered in `http/`. */
export class ProblemError extends Error {
  readonly code: ProblemCode
  readonly extras: ProblemExtras

  /** `detail`: lower case, what was expected and what came; never a token or a path of ours. */
  constructor(code: ProblemCode, detail: string, extras: ProblemExtras = {}) {
    // No stack: it tells nobody anything, and taking one for each bad event of a large body takes
    // longer than reading the body.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(detail, extras.cause === undefined ? undefined : { cause: extras.cause })
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'ProblemError'
    this.code = code
    this.extras = extras
  }

  /** The message, after line and column where they are known: for answers that have no other place. */
  get placedMessage(): string {
    const { position } = this.extras
    return position === undefined
      ? this.message
      : `${position.line}:${position.column}: ${this.message}`
  }

  get status(): number {
    return problems[this.code].status
  }
}

/** Refusals of events that end when others are done, or somebody has made room. */
const passing: ReadonlySet<ProblemCode> = new Set([
  'ingest_overloaded',
  'journal_full',
  'storage_full',
])

/** Whether what was refused for it may be stored when it is sent again later. */
export function mayPass(error: unknown): error is ProblemError {
  return error instanceof ProblemError && passing.has(error.code)
}

/** What `read` returns, or the problem that it throws; any other error is thrown on. */
export function orProblem<T>(read: () => T): T | ProblemError {
  try {
    return read()
  } catch (error) {
    if (error instanceof ProblemError) return error
    throw error
  }
}

/** What `read` returns; undefined when it throws a problem. */
export function unlessProblem<T>(read: () => T): T | undefined {
  const found = orProblem(read)
  return found instanceof ProblemError ? undefined : found
}

/** What an error says, with what caused it. */
export function messageWithCauses({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${messageWithCauses(cause)}` : message
}
