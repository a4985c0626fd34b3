/**
 * The queries that `query.ts` times: each with its text, the answer that is right, and the time to
 * reach over 2,000,000 records.
 */
import { needles } from './needles.ts'
import type { Labels, Oracle, TextNeedle } from './oracle.ts'
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
  readonly startTime?: number
  readonly endTime?: number
  readonly limit?: number
  readonly toReachMs: number
  /** The text that the baseline scan looks for: the query's own where it has one. */
  readonly scanFor: TextNeedle
  /** Labels of the groups, in the order in which their values make `Expected.groups`' keys. */
  readonly groupBy?: readonly string[]
  readonly expect: (oracle: Oracle) => Expected
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const isError = ({ level }: Labels) => level === 'error'

const window = { startTime: defaultStartTime + 12 * hourMs }
const tenMinutes = { ...window, endTime: window.startTime + 10 * minuteMs - 1 }
/** Over midnight, so that two UTC days take part. */
const sixHours = {
  startTime: defaultStartTime + 15 * hourMs,
  endTime: defaultStartTime + 21 * hourMs,
}

const isIn = (range: { startTime: number; endTime: number }, { timestamp }: Labels) =>
  range.startTime <= timestamp && timestamp <= range.endTime
const isGatewayInfo = (labels: Labels) =>
  isIn(tenMinutes, labels) && labels.service === 'gateway' && labels.level === 'info'
const isCheckoutError = (labels: Labels) =>
  isIn(sixHours, labels) && labels.service === 'checkout' && labels.level === 'error'

const all = () => true

function labelCount(work: string, query: string, toReachMs: number, matches = all as Matches) {
  const expect = (oracle: Oracle) => ({ count: oracle.count(matches) })
  return { work, query, toReachMs, scanFor: 'nowhere', expect } as const
}
type Matches = (labels: Labels) => boolean

function textCount(work: string, needle: TextNeedle, toReachMs: number): BenchQuery {
  const query = `count(logs |= ${JSON.stringify(needles[needle])})`
  const expect = (oracle: Oracle) => ({ count: oracle.textHits[needle] })
  return { work, query, toReachMs, scanFor: needle, expect }
}

export const benchQueries: readonly BenchQuery[] = [
  labelCount('count over everything', 'count(logs)', 1),
  {
    ...labelCount('count by service and level', 'count by (service.name, log_level) (logs)', 1),
    groupBy: ['service.name', 'log_level'],
    expect: oracle => ({
      count: oracle.count(all),
      groups: oracle.countBy(({ service, level }) => `${service}/${level}`),
    }),
  },
  labelCount('count of one level', 'count(logs{log_level="error"})', 1, isError),
  {
    ...labelCount(
      'count of a service and level in 6 hours',
      'count(logs{service.name="checkout", log_level="error"})',
      300,
      isCheckoutError,
    ),
    ...sixHours,
  },
  textCount('count of a phrase', 'phrase', 15),
  textCount('count of a substring inside words', 'substring', 40),
  textCount('count of digits inside ids', 'digits', 40),
  textCount('count of a word that is nowhere', 'nowhere', 3),
  {
    work: 'count of a regular expression',
    query: `count(logs |~ ${JSON.stringify(needles.regex)})`,
    toReachMs: 120,
    scanFor: 'nowhere',
    expect: oracle => ({ count: oracle.textHits.regex }),
  },
  {
    work: 'exact trace id, count',
    query: `count(logs{trace_id="${needles.traceId}"})`,
    toReachMs: 3,
    scanFor: 'nowhere',
    expect: () => ({ count: 1 }),
  },
  {
    work: 'exact trace id, record',
    query: `logs{trace_id="${needles.traceId}"}`,
    toReachMs: 3,
    scanFor: 'nowhere',
    expect: () => ({ count: 1 }),
  },
  {
    ...labelCount('count by host', 'count by (host) (logs)', 30),
    groupBy: ['host'],
    expect: oracle => ({ count: oracle.count(all), groups: oracle.countBy(({ host }) => host) }),
  },
  labelCount(
    'count of an attribute',
    'count(logs{http.status="304"})',
    13,
    ({ status }) => status === 304,
  ),
  {
    work: 'first 100 of one level, with the total',
    query: 'logs{log_level="error"}',
    limit: 100,
    toReachMs: 10,
    scanFor: 'nowhere',
    expect: oracle => ({
      count: oracle.count(isError),
      timestamps: oracle.earliest(100, isError),
    }),
  },
  {
    work: '100 records of 10 minutes, service and level',
    query: 'logs{service.name="gateway", log_level="info"}',
    ...tenMinutes,
    limit: 100,
    toReachMs: 4,
    scanFor: 'nowhere',
    expect: oracle => ({
      count: oracle.count(isGatewayInfo),
      timestamps: oracle.earliest(100, isGatewayInfo),
    }),
  },
]
