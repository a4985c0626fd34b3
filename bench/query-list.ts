/**
 * The queries that the benchmarks time: each with its text, the answer that is right, and the time to
 * reach over 2,000,000 records.
 */
import { needles } from './needles.ts'
import type { Labels, Needle, TextNeedle, TimeRange, Truth } from './oracle.ts'
import { defaultStartTime } from './records.ts'

export interface Expected {
  readonly count: number
  /** Label values joined by `/` → count. */
  readonly groups?: ReadonlyMap<string, number>
  /** The timestamps of the records in the answer, in order. */
  readonly timestamps?: readonly number[]
}

export interface BenchQuery {
  readonly work: string
  readonly query: string
  /** The time that it is about; without it, all records. */
  readonly range?: TimeRange
  readonly limit?: number
  /** Asks for a histogram, not for records; its groups are `START/LEVEL`. */
  readonly bucketMs?: number
  readonly toReachMs: number
  /** The text that the baseline scan looks for: the query's own where it has one. */
  readonly scanFor: TextNeedle
  /** Labels of the groups, in the order in which their values make `Expected.groups`' keys. */
  readonly groupBy?: readonly string[]
  /** The right answer, from the truth about the time that is asked for. */
  readonly expect: (truth: Truth) => Expected
}

type Matches = (labels: Labels) => boolean

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const noon = defaultStartTime + 6 * hourMs
const tenMinutes = { startTime: noon, endTime: noon + 10 * minuteMs - 1 }
/** Over midnight, so that two UTC days take part. */
const sixHours = {
  startTime: defaultStartTime + 15 * hourMs,
  endTime: defaultStartTime + 21 * hourMs,
}

const all: Matches = () => true
const isError: Matches = ({ level }) => level === 'error'
const isGatewayInfo: Matches = ({ service, level }) => service === 'gateway' && level === 'info'
const isCheckoutError: Matches = ({ service, level }) => service === 'checkout' && level === 'error'

/** Asks for a count, and so for the fewest records that an answer may have: one. */
function counting(work: string, query: string, toReachMs: number, matches: Matches): BenchQuery {
  const expect = (truth: Truth) => ({
    count: truth.count(matches),
    timestamps: truth.earliest(1, matches),
  })
  return { work, query, toReachMs, limit: 1, scanFor: 'nowhere', expect }
}

function grouping(
  work: string,
  toReachMs: number,
  groupBy: readonly string[],
  keyOf: (labels: Labels) => string,
): BenchQuery {
  const counted = counting(work, `count by (${groupBy.join(', ')}) (logs)`, toReachMs, all)
  return {
    ...counted,
    groupBy,
    expect: truth => ({ ...counted.expect(truth), groups: truth.countBy(keyOf) }),
  }
}

function needleCount(
  work: string,
  filter: string,
  needle: Needle,
  toReachMs: number,
  scanFor: TextNeedle = 'nowhere',
): BenchQuery {
  const matches: Matches = ({ holds }) => holds(needle)
  return { ...counting(work, `count(logs${filter})`, toReachMs, matches), scanFor }
}

function textCount(work: string, needle: TextNeedle, toReachMs: number): BenchQuery {
  return needleCount(work, ` |= ${JSON.stringify(needles[needle])}`, needle, toReachMs, needle)
}

function firstHundred(
  work: string,
  query: string,
  toReachMs: number,
  matches: Matches,
): BenchQuery {
  return {
    ...counting(work, query, toReachMs, matches),
    limit: 100,
    expect: truth => ({
      count: truth.count(matches),
      timestamps: truth.earliest(100, matches),
    }),
  }
}

const byTraceId = `{trace_id="${needles.traceId}"}`

export const benchQueries: readonly BenchQuery[] = [
  counting('count over everything', 'count(logs)', 1, all),
  grouping(
    'count by service and level',
    1,
    ['service.name', 'log_level'],
    ({ service, level }) => `${service}/${level}`,
  ),
  counting('count of one level', 'count(logs{log_level="error"})', 1, isError),
  {
    ...counting(
      'count of a service and level in 6 hours',
      'count(logs{service.name="checkout", log_level="error"})',
      300,
      isCheckoutError,
    ),
    range: sixHours,
  },
  {
    ...counting('histogram by minute and level', 'logs', 20, all),
    bucketMs: minuteMs,
    expect: truth => ({
      count: truth.count(all),
      groups: truth.countBy(
        ({ timestamp, level }) => `${timestamp - (timestamp % minuteMs)}/${level}`,
      ),
    }),
  },
  textCount('count of a phrase', 'phrase', 15),
  textCount('count of a substring inside words', 'substring', 40),
  textCount('count of digits inside ids', 'digits', 40),
  textCount('count of a word that is nowhere', 'nowhere', 3),
  needleCount(
    'count of a regular expression',
    ` |~ ${JSON.stringify(needles.regex)}`,
    'regex',
    120,
  ),
  needleCount('exact trace id, count', byTraceId, 'traceId', 3),
  firstHundred('exact trace id, record', `logs${byTraceId}`, 3, ({ holds }) => holds('traceId')),
  grouping('count by host', 30, ['host'], ({ host }) => host),
  counting(
    'count of an attribute',
    'count(logs{http.status="304"})',
    13,
    ({ status }) => status === 304,
  ),
  firstHundred('first 100 of one level, with the total', 'logs{log_level="error"}', 10, isError),
  {
    ...firstHundred(
      '100 records of 10 minutes, service and level',
      'logs{service.name="gateway", log_level="info"}',
      4,
      isGatewayInfo,
    ),
    range: tenMinutes,
  },
]

/** Some of the queries, by what they are called. Throws when there is no such query. */
export function queriesNamed(works: readonly string[]): BenchQuery[] {
  return works.map(work => {
    const query = benchQueries.find(candidate => candidate.work === work)
    if (query === undefined) throw new Error(`no query is called "${work}"`)
    return query
  })
}
