/** How all benchmarks print: one line about the machine, then one Markdown table. */
import { availableParallelism, cpus, totalmem } from 'node:os'

/**
 * A table that also reads well as plain text. Titles stand in one text with ` | ` between them, or in a list;
 * those that end in a colon are of texts, which stand left, as figures do on the right.
 */
export function formatTable(head: string | readonly string[], rows: readonly string[][]): string {
  const titles = typeof head === 'string' ? head.split(' | ') : head
  const areTexts = titles.map(title => title.endsWith(':'))
  const names = titles.map(title => title.replace(/:$/, ''))
  const widths = names.map((name, index) =>
    Math.max(3, name.length, ...rows.map(row => row[index]!.length)),
  )
  const pad = (text: string, index: number) =>
    areTexts[index] ? text.padEnd(widths[index]!) : text.padStart(widths[index]!)
  const line = (cells: readonly string[]) => `| ${cells.map(pad).join(' | ')} |`
  const rule = areTexts.map((isText, index) =>
    isText ? '-'.repeat(widths[index]!) : `${'-'.repeat(widths[index]! - 1)}:`,
  )
  return [line(names), line(rule), ...rows.map(line)].join('\n')
}

export function printTable(...table: Parameters<typeof formatTable>): void {
  console.log(formatTable(...table))
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
