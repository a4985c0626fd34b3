/**
 * Records whose messages parsers take apart, from a seed: the same requests written as JSON, as logfmt and
 * as lines of an access log, some 250 bytes each. The event has two attributes of its own, `elapsed` and
 * `region`, for what columns answer without any parser.
 */
import { makeRandom, makeWeightedPick } from './random.ts'
import { defaultStartTime } from './records.ts'

export const lineKinds = ['json', 'logfmt', 'access'] as const
export type LineKind = (typeof lineKinds)[number]

/** What a record says, whatever its line looks like. */
export interface StagedRecord {
  readonly timestamp: number
  readonly status: number
  readonly method: string
  readonly path: string
  /** Two decimals at most. */
  readonly tookMs: number
  readonly bytes: number
  readonly traceId: string
  /** Of the event itself: whole ms, 0 to 3,999. */
  readonly elapsed: number
  readonly region: string
  readonly line: string
}

const statusWeights = { 200: 80, 201: 8, 304: 4, 404: 5, 500: 2, 503: 1 }
const methods = ['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE']
const collections = ['orders', 'customers', 'carts', 'invoices', 'products', 'sessions']
const regions = ['eu-west', 'eu-north', 'us-east', 'ap-south']
const outcomes = [
  'request completed',
  'request completed after a retry',
  'client went away before the answer',
  'answer taken from the cache',
]
/** 2,000,000 records are a day. */
const stepMs = 43

export function* makeStagedRecords(
  kind: LineKind,
  { seed, count }: { readonly seed: number; readonly count: number },
): Generator<StagedRecord, void, undefined> {
  const random = makeRandom(seed)
  const statuses = Object.keys(statusWeights).map(Number)
  const pickStatus = makeWeightedPick(random, Object.values(statusWeights))
  for (let index = 0; index < count; index++) {
    const said = {
      timestamp: defaultStartTime + index * stepMs,
      status: statuses[pickStatus()]!,
      method: random.pick(methods),
      path: `/api/v2/${random.pick(collections)}/${random.below(100_000)}`,
      tookMs: random.skewedBelow(500_000) / 100,
      bytes: random.skewedBelow(200_000),
      traceId: random.hex(32),
      elapsed: random.skewedBelow(4_000),
      region: random.pick(regions),
    }
    const beside = {
      time: new Date(said.timestamp).toISOString(),
      outcome: random.pick(outcomes),
      address: `10.${random.below(4)}.${random.below(256)}.${random.below(256)}`,
      port: 1_024 + random.below(60_000),
      user: `u${random.below(20_000)}`,
    }
    yield { ...said, line: lineOf[kind](said, beside) }
  }
}

type Said = Omit<StagedRecord, 'line'>
interface Beside {
  readonly time: string
  readonly outcome: string
  readonly address: string
  readonly port: number
  readonly user: string
}

const lineOf: Readonly<Record<LineKind, (said: Said, beside: Beside) => string>> = {
  json: (
    { status, method, path, tookMs, bytes, traceId },
    { time, outcome, address, port, user },
  ) =>
    JSON.stringify({
      time,
      level: status >= 500 ? 'error' : 'info',
      msg: outcome,
      request: { method, path, user },
      status,
      took_ms: tookMs,
      bytes,
      trace_id: traceId,
      peer: { address, port },
    }),
  logfmt: (
    { status, method, path, tookMs, bytes, traceId },
    { time, outcome, address, port, user },
  ) =>
    `time=${time} level=${status >= 500 ? 'error' : 'info'} msg="${outcome}" method=${method} ` +
    `path=${path} user=${user} status=${status} took_ms=${tookMs} bytes=${bytes} ` +
    `trace_id=${traceId} peer=${address}:${port}`,
  access: ({ status, method, path, tookMs, bytes, traceId }, { time, address, user }) =>
    `${address} - ${user} [${time}] "${method} ${path} HTTP/1.1" ${status} ${bytes} ` +
    `"https://shop.example.com/" "Mozilla/5.0 (X11; Linux x86_64)" ${tookMs} ${traceId}`,
}
