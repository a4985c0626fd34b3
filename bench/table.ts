/** How all benchmarks print: one line about the machine, then one Markdown table. */
import { availableParallelism, cpus, totalmem } from 'node:os'

export interface Column {
  readonly title: string
  /** Figures stand on the right. */
  readonly align: 'left' | 'right'
}

export function left(title: string): Column {
  return { title, align: 'left' }
}

export function right(title: string): Column {
  return { title, align: 'right' }
}

/** The table with columns padded to equal width, so that it also reads well as plain text. */
export function formatTable(columns: readonly Column[], rows: readonly string[][]): string {
  const widths = columns.map((column, index) =>
    Math.max(3, column.title.length, ...rows.map(row => row[index]!.length)),
  )
  const pad = (text: string, index: number) =>
    columns[index]!.align === 'left' ? text.padEnd(widths[index]!) : text.padStart(widths[index]!)
  const line = (cells: readonly string[]) => `| ${cells.map(pad).join(' | ')} |`
  const rule = columns.map(({ align }, index) =>
    align === 'left' ? '-'.repeat(widths[index]!) : `${'-'.repeat(widths[index]! - 1)}:`,
  )
  return [line(columns.map(({ title }) => title)), line(rule), ...rows.map(line)].join('\n')
}

export function machineLine(): string {
  const memoryGib = (totalmem() / 1024 ** 3).toFixed(1)
  const date = new Date().toISOString().slice(0, 16)
  return (
    `${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown CPU'}, ${memoryGib} GiB, ` +
    `Node ${process.version}, ${process.platform} ${process.arch}, ${date}Z`
  )
}

/** The middle value; of an even number of values the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The smallest value that at least `percent` % of the values do not exceed (nearest rank). */
export function percentile(values: ArrayLike<number>, percent: number): number {
  const sorted = Float64Array.from(values).sort()
  if (sorted.length === 0) throw new Error('no values')
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)]!
}

/** 12,345 */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-GB')
}

/** Milliseconds with three digits that matter: 0.123, 1.23, 12.3, 123. */
export function millis(value: number): string {
  if (value >= 100) {
    return whole(value)
  }
  return value.toFixed(value >= 10 ? 1 : value >= 1 ? 2 : 3)
}
