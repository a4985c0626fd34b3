/** Two sides of runs of `query.ts`, such as before and after a change, question by question. */
import { type Phase, phases, type QueryResults, type ResultRow } from './query-results.ts'
import { formatTable, left, median, millis, right, whole } from './table.ts'

/** A table for each phase that both sides have. Throws when they are not about the same records. */
export function compareResults(
  before: readonly QueryResults[],
  after: readonly QueryResults[],
): string {
  const asked = new Set([...before, ...after].map(({ data }) => JSON.stringify(data)))
  if (asked.size !== 1) throw new Error(`runs over different records: ${[...asked].join(', ')}`)
  const { kind, count } = before[0]!.data
  const records = `${whole(count)} records with ${kind === 'lines' ? 'real lines' : 'made messages'}`
  const scans = [before, after].map(side =>
    median(side.flatMap(({ rows }) => rows.map(({ indexOfMs }) => indexOfMs))),
  )
  const tables = phases.flatMap(phase => {
    const rows = compareRows(before, after, phase)
    return rows.length === 0 ? [] : [formatTable(columnsOf(phase), rows)]
  })
  const baseline = `Buffer.indexOf took ${scans.map(millis).join(' ms before, ')} ms after`
  return [`${records}; ${baseline} (medians)`, ...tables].join('\n\n')
}

function columnsOf(phase: Phase) {
  return [
    left(`Work, ${phase}`),
    right('before ms'),
    right('least–most'),
    right('after ms'),
    right('least–most'),
    right('after ÷ before'),
  ]
}

function compareRows(
  before: readonly QueryResults[],
  after: readonly QueryResults[],
  phase: Phase,
): string[][] {
  return before[0]!.rows.flatMap(({ work }) => {
    const [earlier, later] = [timesOf(before, work, phase), timesOf(after, work, phase)]
    if (earlier.length === 0 || later.length === 0) return []
    const ratio = median(later) / median(earlier)
    return [[work, ...spread(earlier), ...spread(later), ratio.toFixed(2)]]
  })
}

function timesOf(side: readonly QueryResults[], work: string, phase: Phase): number[] {
  const isAsked = (row: ResultRow) => row.work === work
  return side.flatMap(({ rows }) => rows.filter(isAsked).flatMap(({ times }) => times[phase] ?? []))
}

function spread(times: readonly number[]): [middle: string, range: string] {
  return [millis(median(times)), `${millis(Math.min(...times))}–${millis(Math.max(...times))}`]
}
