/** What `stages.ts` asks about each kind of line, and what must be answered. */
import type { LineKind, StagedRecord } from './staged-lines.ts'

export interface StagedQuestion {
  readonly work: string
  /** A selector and stages; what stands around it is `around`'s. */
  readonly selected: string
  readonly around?: { readonly before: string; readonly after: string }
  readonly matches: (record: StagedRecord) => boolean
  /** Sum over what matches; the count without it. */
  readonly sumOf?: (record: StagedRecord) => number
  /** Records of the answer: 1, the fewest that the API returns. */
  readonly limit?: number
  /** Whether its first time has a restart of its own, because others ask the same column. */
  readonly isAskedAlone?: true
}

const parsers: Readonly<Record<LineKind, string>> = {
  json: '| json',
  logfmt: '| logfmt',
  access:
    '| pattern `<address> - <user> [<_>] "<method> <path> <_>" <status> <bytes> "<_>" "<_>" ' +
    '<took_ms> <trace_id>`',
}

/** `rareTrace`: a trace id that one record has. */
export function stagedQuestions(
  kind: LineKind,
  service: string,
  rareTrace: string,
): readonly StagedQuestion[] {
  const stream = `{service_name="${service}"}`
  const parsed = `${stream} ${parsers[kind]}`
  const method = kind === 'json' ? 'request_method' : 'method'
  const isFailed = ({ status }: StagedRecord) => status >= 500
  return [
    {
      work: 'status >= 500',
      selected: `${parsed} | status >= 500`,
      matches: isFailed,
    },
    {
      work: 'status >= 500, first 100',
      selected: `${parsed} | status >= 500`,
      matches: isFailed,
      limit: 100,
    },
    {
      work: 'status="404"',
      selected: `${parsed} | status="404"`,
      matches: ({ status }) => status === 404,
    },
    {
      work: 'took_ms > 1000 and a method',
      selected: `${parsed} | took_ms > 1000 and ${method}="POST"`,
      matches: record => record.tookMs > 1000 && record.method === 'POST',
    },
    {
      work: 'one trace id',
      selected: `${parsed} | trace_id="${rareTrace}"`,
      matches: ({ traceId }) => traceId === rareTrace,
    },
    {
      work: 'count by status',
      selected: parsed,
      around: { before: 'count by (status) (', after: ')' },
      matches: () => true,
    },
    {
      work: 'sum of bytes where status >= 500',
      selected: `${parsed} | status >= 500 | unwrap bytes`,
      around: { before: 'sum(', after: ')' },
      matches: isFailed,
      sumOf: ({ bytes }) => bytes,
    },
    {
      work: '95th percentile of took_ms',
      selected: `${parsed} | unwrap took_ms`,
      around: { before: 'quantile(0.95, ', after: ')' },
      matches: () => true,
    },
  ]
}

/** What columns and words answer without a parser, and what each is to be compared with. */
export function columnQuestions(service: string): readonly StagedQuestion[] {
  const stream = `{service_name="${service}"}`
  const questions: readonly StagedQuestion[] = [
    {
      work: 'elapsed > 1000, a matcher',
      selected: `logs{service.name="${service}", elapsed > 1000}`,
      matches: ({ elapsed }) => elapsed > 1000,
    },
    {
      work: 'elapsed > 1000, a stage',
      selected: `${stream} | elapsed > 1000`,
      matches: ({ elapsed }) => elapsed > 1000,
    },
    {
      work: 'elapsed = "1000", a matcher',
      selected: `logs{service.name="${service}", elapsed="1000"}`,
      matches: ({ elapsed }) => elapsed === 1000,
    },
    {
      work: 'region = "eu-west", a matcher',
      selected: `logs{service.name="${service}", region="eu-west"}`,
      matches: ({ region }) => region === 'eu-west',
    },
    {
      work: '|= "orders"',
      selected: `${stream} |= "orders"`,
      matches: ({ path }) => path.includes('/orders/'),
    },
    {
      work: '|~ "(?i)ORDERS"',
      selected: `${stream} |~ "(?i)ORDERS"`,
      matches: ({ path }) => path.includes('/orders/'),
    },
    {
      work: '|= "cache"',
      selected: `${stream} |= "cache"`,
      matches: ({ line }) => line.includes('cache'),
    },
    {
      work: '|~ "(?i)CaChe"',
      selected: `${stream} |~ "(?i)CaChe"`,
      matches: ({ line }) => line.includes('cache'),
    },
  ]
  return questions.map(question => ({ ...question, isAskedAlone: true }))
}
