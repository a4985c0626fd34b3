/** Lists of things that the service keeps, as tables for people and as lines of JSON for scripts. */

import type { ApiConfig } from '../../config/config.ts'
import { type ApiRequest, requestJson, strangeAnswer } from '../api.ts'
import { jsonLine, printable } from '../printable.ts'
import { alignTable, numberText } from '../table.ts'
import type { Action } from './actions.ts'

type Listed = Readonly<Record<string, unknown>>

/** The objects of the array that the answer holds under `member`. */
async function readList(
  api: ApiConfig,
  asked: ApiRequest,
  member: string,
): Promise<readonly Listed[]> {
  const { [member]: list } = await requestJson(api, asked)
  if (!Array.isArray(list)) throw strangeAnswer(api.url)
  return list.map(one => ({ ...Object(one) }))
}

export interface Column {
  readonly title: string
  readonly field: string
  /** Texts as they are when absent. */
  readonly kind?: 'time' | 'number'
  /** What stands for null. */
  readonly absent?: string
}

/** The action `list` of what the answer of `path` holds under `member`. */
export function listing(
  summary: string,
  { path, member, columns }: { path: string; member: string; columns: readonly Column[] },
): Action<{ readonly json: boolean }> {
  return {
    name: 'list',
    summary,
    async run({ api, flags, output }) {
      await output.write(listText(await readList(api, { path }, member), columns, flags.json))
      return 0
    },
  }
}

function listText(list: readonly Listed[], columns: readonly Column[], json: boolean): string {
  if (json) return list.map(jsonLine).join('')
  if (list.length === 0) return 'none\n'
  const titles = columns.map(({ title, kind }) => (kind === 'number' ? title : `${title}:`))
  const rows = list.map(one => columns.map(column => cell(one[column.field], column)))
  return `${alignTable(titles, rows).join('\n')}\n`
}

function cell(value: unknown, { kind, absent = '-' }: Column): string {
  if (value === null || value === undefined || value === '') return absent
  if (typeof value === 'number') {
    return kind === 'time' ? timeText(value) : numberText(value)
  }
  return printable(String(value))
}

/** To the second: these are for people. */
export function timeText(ms: number): string {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? '?' : `${date.toISOString().slice(0, 19)}Z`
}
