/** Tables and numbers in plain text, as commands print them for people. */

/**
 * Columns as wide as their widest cell; texts, whose titles end in a colon, stand left. Cells must be
 * printable.
 */
export function alignTable(titles: readonly string[], rows: readonly string[][]): string[] {
  const isText = titles.map(title => title.endsWith(':'))
  const all = [titles.map(title => title.replace(/:$/, '')), ...rows]
  // Not Math.max of all cells as arguments: there may be more of them than a call takes.
  const widths = titles.map((_, i) =>
    all.reduce((width, row) => Math.max(width, row[i]!.length), 0),
  )
  return all.map(row =>
    row
      .map((cell, i) => (isText[i] ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join('  ')
      .trimEnd(),
  )
}

/** `1,234,567`, and as many digits of a fraction as tell it apart. */
export function numberText(value: number): string {
  return value.toLocaleString('en-US', {
    maximumSignificantDigits: Number.isInteger(value) ? 21 : 6,
  })
}

/** `4.7 MiB`. */
export function byteText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const amount = bytes / 1024 ** power
  return `${power === 0 ? amount : amount.toFixed(1)} ${units[power]}`
}
