/** Values as comma-separated text (RFC 4180), for spreadsheets. */

import type { Group } from './groups.ts'

type Cell = string | number | undefined

/** With a heading and lines that end as the RFC says. */
export function csvOf(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows].map(row => `${row.map(cellText).join(',')}\r\n`).join('')
}

function cellText(cell: Cell): string {
  const text = cell === undefined ? '' : String(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A line for each time: the time in UTC, then the values of the series. */
export function courseCsv(
  times: readonly number[],
  groups: readonly Pick<Group, 'name' | 'values'>[],
): string {
  const rows = times.map((time, at) => [
    new Date(time).toISOString(),
    ...groups.map(({ values }) => values[at]),
  ])
  return csvOf(['time', ...groups.map(({ name }) => name)], rows)
}

/** A line for each group: its labels, then its value. */
export function totalsCsv(groups: readonly Pick<Group, 'labels' | 'total'>[]): string {
  const names = [...new Set(groups.flatMap(({ labels }) => Object.keys(labels)))]
  const rows = groups.map(({ labels, total }) => [...names.map(name => labels[name]), total])
  return csvOf([...names, 'value'], rows)
}
