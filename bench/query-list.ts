/**
 * The queries that the benchmarks time, each with its text and the answer that is right: those about
 * made records, and those about records whose messages are lines of real logs (`--from`).
 */
import { hourMs, minuteMs } from '../src/time-units.ts'
import { makeAbsentWords } from './absent-words.ts'
import { lineNeedles, type Needles, needles } from './needles.ts'
import type { Labels, Needle, TimeRange, Truth } from './oracle.ts'
import { defaultStartTime } from './records.ts'

export interface Expected {
  readonly count: number
  /** Label values joined by `/` → count. */
  readonly groups?: ReadonlyMap<string, number>
  /** Label values joined by `/` → a figure, which an answer may miss by rounding. */
  readonly figures?: ReadonlyMap<string, number>
  /** The timestamps of the records in the answer, in order. */
  readonly timestamps?: readonly number[]
}

/** What is asked once, and the right answer. */
export interface Asked {
  readonly query: string
  readonly expected: Expected
}

export interface BenchQuery {
  readonly work: string
  readonly query: string
  /** The time that it is about; without it, all records. */
  readonly range?: TimeRange
  readonly limit?: number
  readonly order?: 'desc'
  /** Asks for a histogram, not for records; its groups are `START/LEVEL`. */
  readonly bucketMs?: number
  /** Asks for a figure per group over the whole time, as a dashboard does: a range of one point. */
  readonly isFigure?: true
  /** The text that the baseline scan looks for: the query's own where it has one. */
  readonly scanFor: string
  /** Labels of the groups, in the order in which their values make the keys of what is expected. */
  readonly groupBy?: readonly string[]
  /** The right answer, from the truth about the time that is asked for. */
  readonly expect: (truth: Truth) => Expected
  /** Returns what to ask next, where that is something else each time; its count stays the same. */
  readonly vary?: (truth: Truth) => () => Asked
}

type Matches = (labels: Labels) => boolean

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

const everything = 'count(logs)'
const errors = 'logs{log_level="error"}'
const checkoutErrors = 'count(logs{service.name="checkout", log_level="error"})'

/** Asks for a count, and so for the fewest records that an answer may have: one. */
function counting(work: string, query: string, matches: Matches): BenchQuery {
  const expect = (truth: Truth) => ({
    count: truth.count(matches),
    timestamps: truth.earliest(1, matches),
  })
  return { work, query, limit: 1, scanFor: needles.nowhere, expect }
}

function grouping(
  work: string,
  groupBy: readonly string[],
  keyOf: (labels: Labels) => string,
): BenchQuery {
  const counted = counting(work, `count by (${groupBy.join(', ')}) (logs)`, all)
  return {
    ...counted,
    groupBy,
    expect: truth => ({ ...counted.expect(truth), groups: truth.countBy(keyOf) }),
  }
}

const byHost = (work: string) => grouping(work, ['host'], ({ host }) => host)
const byServiceAndLevel = (work: string) =>
  grouping(work, ['service.name', 'log_level'], ({ service, level }) => `${service}/${level}`)

function ofStatus(work: string, status: number): BenchQuery {
  const query = `count(logs{http.status="${status}"})`
  return counting(work, query, labels => labels.status === status)
}

/** Counts what holds a needle, by a line filter such as `|=`. */
function holding(work: string, filter: string, set: Needles, needle: Needle): BenchQuery {
  const query = `count(logs ${filter} ${JSON.stringify(set[needle])})`
  const counted = counting(work, query, ({ holds }) => holds(needle))
  return filter === '|=' ? { ...counted, scanFor: set[needle] } : counted
}

function without(work: string, set: Needles): BenchQuery {
  const query = `count(logs != ${JSON.stringify(set.word)})`
  const counted = counting(work, query, ({ holds }) => !holds('word'))
  return { ...counted, scanFor: set.word }
}

/** A new one each time; 256 are known, which then come again. */
function histogram(work: string, bucketMs: number): BenchQuery {
  return {
    ...counting(work, 'logs', all),
    bucketMs,
    expect: truth => ({
      count: truth.count(all),
      groups: truth.countBy(
        ({ timestamp, level }) => `${timestamp - (timestamp % bucketMs)}/${level}`,
      ),
    }),
  }
}

function newTraceId(work: string): BenchQuery {
  return {
    ...counting(work, 'count(logs{trace_id="…"})', all),
    expect: truth => ({ count: Math.min(1, truth.traced().length) }),
    vary: truth => {
      const traced = truth.traced()
      let turn = 0
      return () => {
        const record = traced[turn++ % traced.length]
        const query = `count(logs{trace_id="${record?.traceId ?? needles.nowhere}"})`
        const timestamps = record === undefined ? [] : [record.timestamp]
        return { query, expected: { count: timestamps.length, timestamps } }
      }
    },
  }
}

/** A new one each time, letters only. */
function newAbsentWord(work: string): BenchQuery {
  const expected = { count: 0, timestamps: [] }
  return {
    ...counting(work, 'count(logs |= "…")', all),
    expect: () => expected,
    vary: () => {
      const nextWord = makeAbsentWords(1)
      return () => ({ query: `count(logs |= "${nextWord()}")`, expected })
    },
  }
}

function percentile(work: string): BenchQuery {
  const groupBy = ['service.name']
  return {
    work,
    query: 'quantile by (service.name) (0.95, logs | unwrap duration_ms)',
    isFigure: true,
    scanFor: needles.nowhere,
    groupBy,
    expect: truth => ({
      count: truth.count(all),
      figures: truth.durationQuantiles(0.95, ({ service }) => service),
    }),
  }
}

function firstHundred(work: string, query: string, matches: Matches): BenchQuery {
  return {
    ...counting(work, query, matches),
    limit: 100,
    expect: truth => ({
      count: truth.count(matches),
      timestamps: truth.earliest(100, matches),
    }),
  }
}

function lastHundred(work: string, query: string, matches: Matches): BenchQuery {
  return {
    ...firstHundred(work, query, matches),
    order: 'desc',
    expect: truth => ({
      count: truth.count(matches),
      timestamps: truth.latest(100, matches),
    }),
  }
}

function ofTenMinutes(work: string): BenchQuery {
  const query = 'logs{service.name="gateway", log_level="info"}'
  return { ...firstHundred(work, query, isGatewayInfo), range: tenMinutes }
}

const byTraceId = `{trace_id="${needles.traceId}"}`
const isTraced: Matches = ({ holds }) => holds('traceId')

export const benchQueries: readonly BenchQuery[] = [
  counting('count over everything', everything, all),
  byServiceAndLevel('count by service and level'),
  counting('count of one level', `count(${errors})`, isError),
  {
    ...counting('count of a service and level in 6 hours', checkoutErrors, isCheckoutError),
    range: sixHours,
  },
  histogram('histogram by minute and level', minuteMs),
  holding('count of a phrase', '|=', needles, 'phrase'),
  holding('count of a substring inside words', '|=', needles, 'substring'),
  holding('count of digits inside ids', '|=', needles, 'digits'),
  holding('count of a word that is nowhere', '|=', needles, 'nowhere'),
  newAbsentWord('count of a word that is nowhere, a new one each time'),
  without('count without a word', needles),
  holding('count of a regular expression', '|~', needles, 'regex'),
  counting('exact trace id, count', `count(logs${byTraceId})`, isTraced),
  firstHundred('exact trace id, record', `logs${byTraceId}`, isTraced),
  newTraceId('exact trace id, a new one each time'),
  byHost('count by host'),
  ofStatus('count of an attribute', 304),
  percentile('95th percentile of a number by service'),
  firstHundred('first 100 of one level, with the total', errors, isError),
  lastHundred('last 100 of one level, with the total', errors, isError),
  ofTenMinutes('100 records of 10 minutes, service and level'),
]

export const lineQueries: readonly BenchQuery[] = [
  counting('count all', everything, all),
  counting('service and level', checkoutErrors, isCheckoutError),
  counting('level', `count(${errors})`, isError),
  holding('phrase "authentication failure"', '|=', lineNeedles, 'phrase'),
  holding('substring "entication fail"', '|=', lineNeedles, 'substring'),
  holding('`rhost=[a-z0-9.]+ .*user=root`', '|~', lineNeedles, 'regex'),
  holding('`port \\d+ ssh2$`', '|~', lineNeedles, 'ending'),
  newTraceId('trace id (a new one each time)'),
  newAbsentWord('a word that is nowhere (a new one each time)'),
  holding('`10.251.` in the text', '|=', lineNeedles, 'digits'),
  ofStatus('status 500', 500),
  byHost('by host'),
  byServiceAndLevel('by service and level'),
  percentile('95th percentile of a number by service'),
  without('without the word "session"', lineNeedles),
  firstHundred('first 100 errors with total', errors, isError),
  lastHundred('last 100 errors with total', errors, isError),
  ofTenMinutes('100 of 10 minutes, service and level'),
]

/** Of 25 days, too, whose minutes are more buckets than an answer may have. */
export const histogramByHour = histogram('histogram by hour and level', hourMs)

/** Some of the queries about made records, by what they are called. Throws when there is no such. */
export function queriesNamed(works: readonly string[]): BenchQuery[] {
  return works.map(work => {
    const query = benchQueries.find(candidate => candidate.work === work)
    if (query === undefined) throw new Error(`no query is called "${work}"`)
    return query
  })
}
