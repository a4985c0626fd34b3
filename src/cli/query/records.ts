/** Prints what /query/logs answers: a count, then records as lines, or groups as a table. */
import { requestJson, strangeAnswer } from '../api.ts'
import { paintFor } from '../colours.ts'
import type { Output } from '../output.ts'
import { jsonLine, printable } from '../printable.ts'
import { readRecord, recordLine } from '../record-lines.ts'
import { alignTable, numberText } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { tellInterpretation } from './interpretation.ts'
import { queryKind } from './kind.ts'
import type { QueryOptions } from './options.ts'

/** The service's own bound for one answer. */
const pageRecordsMax = 1_000

interface Page {
  readonly count: number
  /** The value of an expression that is not a count: a number, or its name in a string. */
  readonly value: unknown
  readonly logs: readonly unknown[]
  readonly groups: readonly unknown[] | undefined
  readonly nextCursor: string | undefined
  /** Records whose value was no number, where numbers are computed with. */
  readonly valuesSkipped: number
  readonly stats: unknown
  readonly interpretedAs: unknown
}

/** Follows cursors until enough is printed. */
export async function printRecords(
  options: QueryOptions,
  output: Output,
  terminal: Terminal,
): Promise<void> {
  const showsRecords = options.wantsRecords || queryKind(options.query) !== 'aggregate'
  const wanted = showsRecords ? options.limit : 0
  let shown = 0
  let page = await readPage(options, Math.max(1, wanted), undefined, output.closed)
  tellInterpretation(page.interpretedAs, terminal)
  await printAggregate(page, options, wanted, output)
  if (page.valuesSkipped > 0) {
    const records = page.valuesSkipped === 1 ? 'record has' : 'records have'
    const skipped = `${numberText(page.valuesSkipped)} ${records} no number to take, and no part in it`
    terminal.stderr.write(`logstrata: ${skipped}\n`)
  }
  if (options.stats) terminal.stderr.write(jsonLine(page.stats ?? {}))
  while (shown < wanted) {
    await output.write(recordsText(page.logs, options, terminal))
    shown += page.logs.length
    if (page.nextCursor === undefined || page.logs.length === 0 || output.closed.aborted) break
    if (shown < wanted) {
      page = await readPage(options, wanted - shown, page.nextCursor, output.closed)
    }
  }
}

async function readPage(
  { api, query, range, order, timeoutMs }: QueryOptions,
  limit: number,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page> {
  const body = { query, ...range, limit: Math.min(limit, pageRecordsMax), order, cursor, timeoutMs }
  const path = '/api/v1/query/logs'
  const answer = await requestJson(api, { method: 'POST', path, body, signal })
  const { count, value, logs, groups, nextCursor, valuesSkipped, stats, interpretedAs } = answer
  if (typeof count !== 'number' || !Array.isArray(logs)) throw strangeAnswer(api.url)
  return {
    count,
    value,
    logs,
    groups: Array.isArray(groups) ? groups : undefined,
    nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined,
    valuesSkipped: typeof valuesSkipped === 'number' ? valuesSkipped : 0,
    stats,
    interpretedAs,
  }
}

async function printAggregate(
  { count, value, groups, logs }: Page,
  { json, order }: QueryOptions,
  wanted: number,
  output: Output,
): Promise<void> {
  if (json) {
    // Records speak for themselves; their count is that of the lines, or of a query for it.
    if (groups !== undefined) await output.write(groups.map(jsonLine).join(''))
    else if (wanted === 0) await output.write(jsonLine({ count, value }))
    return
  }
  const shown = Math.min(count, wanted)
  const which = order === 'asc' ? 'earliest' : 'latest'
  const part = 0 < shown && shown < count ? `; the ${which} ${numberText(shown)}:` : ''
  const lead = value === undefined ? '' : `value ${valueText(value)}, over `
  await output.write(`${lead}${numberText(count)} ${count === 1 ? 'record' : 'records'}${part}\n`)
  if (groups !== undefined) await output.write(groupTable(groups))
  if (groups !== undefined && wanted > 0 && logs.length > 0) await output.write('\n')
}

function groupTable(groups: readonly unknown[]): string {
  const rows = groups.map(readGroup)
  const labels = [...new Set(rows.flatMap(({ labels }) => Object.keys(labels)))]
  const hasValue = rows.some(({ value }) => value !== undefined)
  const hasCount = rows.some(({ count }) => count !== undefined)
  const titles = [
    ...labels.map(label => `${printable(label)}:`),
    ...(hasValue ? ['value'] : []),
    ...(hasCount ? ['count'] : []),
  ]
  const table = alignTable(
    titles,
    rows.map(({ labels: own, value, count }) => [
      ...labels.map(label => printable(String(own[label] ?? ''))),
      ...(hasValue ? [value ?? ''] : []),
      ...(hasCount ? [count === undefined ? '' : numberText(count)] : []),
    ]),
  )
  return `${table.join('\n')}\n`
}

function readGroup(group: unknown) {
  const { labels, count, value } = Object(group) as Record<string, unknown>
  return {
    labels: Object(labels) as Record<string, unknown>,
    count: typeof count === 'number' ? count : undefined,
    value: valueText(value),
  }
}

/** Numbers, and what JSON has no numbers for: `NaN`, `+Inf`, `-Inf`. */
function valueText(value: unknown): string | undefined {
  if (typeof value === 'number') return numberText(value)
  return typeof value === 'string' ? printable(value) : undefined
}

function recordsText(logs: readonly unknown[], { json }: QueryOptions, terminal: Terminal): string {
  if (json) return logs.map(jsonLine).join('')
  const paint = paintFor(terminal, terminal.stdout)
  return logs
    .map(readRecord)
    .filter(record => record !== undefined)
    .map(record => `${recordLine(record, paint)}\n`)
    .join('')
}
