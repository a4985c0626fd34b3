/**
 * The text of records in an export, made from columns. What a column says of every record (its name)
 * or of many (the entry of a dictionary) is turned into text once.
 *
 * NDJSON: the record as every answer has it, one to a line.
 * CSV (RFC 4180): one line of names, then `id`, the time (RFC 3339, UTC, ms), level, service,
 * environment, message, and all other attributes as one JSON object. Texts are exactly what was sent:
 * one that a spreadsheet would take for a formula stays as it is, because data must come back right.
 */

import type { SearchableColumn } from '../../columns/column.ts'
import { PlainColumn } from '../../columns/plain.ts'
import {
  type AttributeColumn,
  countBelow,
  type RecordColumns,
  shownAttribute,
} from '../../columns/record-columns.ts'
import { levelLabel, messageLabel, type Stream, streamLabels } from '../../record.ts'
import { idText } from '../record-id.ts'
import type { ExportFormat } from './task.ts'
import { utcText } from './utc-text.ts'

const timeText = utcText()

/** Returns the text of a row, with its line end. Rows are asked for in ascending order. */
export type RowText = (row: number) => string

export const csvHeader = `id,timestamp,${levelLabel},${streamLabels.service},${streamLabels.environment},${messageLabel},attributes\r\n`

/** Writes rows of `columns` in a format of exports. Valid as long as these are. */
export function rowTextOf(columns: RecordColumns, format: ExportFormat): RowText {
  return format === 'ndjson' ? ndjsonOf(columns) : csvOf(columns)
}

function ndjsonOf(columns: RecordColumns): RowText {
  const { levels, levelCodes } = columns
  const levelTexts = levels.map(
    level => `,"${levelLabel}":${JSON.stringify(level)},"${messageLabel}":`,
  )
  const streamText = streamTextOf(columns, ({ service, environment }) => {
    const labels = { [streamLabels.service]: service, [streamLabels.environment]: environment }
    return `,"attributes":${JSON.stringify(labels).slice(0, -1)}`
  })
  const { message: messages } = columns
  const message =
    messages.jsonAt === undefined
      ? valueText(messages, text => JSON.stringify(text))
      : (row: number) => messages.jsonAt!(row)
  const cells = cellsOf(columns, text => JSON.stringify(text))
  return row => {
    const timestamp = columns.timestamp(row)
    const id = idText(timestamp, columns.sequence(row))
    let text = `{"id":"${id}","timestamp":${timestamp}${levelTexts[levelCodes[row]!]}`
    text += message(row) + streamText(row)
    for (const cell of cells) text += cell(row)
    return `${text}}}\n`
  }
}

function csvOf(columns: RecordColumns): RowText {
  const { levels, levelCodes } = columns
  const levelTexts = levels.map(level => `,${csvField(level)},`)
  const streamText = streamTextOf(
    columns,
    ({ service, environment }) => `${csvField(service)},${csvField(environment)},`,
  )
  const message = valueText(columns.message, csvField)
  const cells = cellsOf(columns, text => doubled(JSON.stringify(text)))
  return row => {
    const timestamp = columns.timestamp(row)
    const id = idText(timestamp, columns.sequence(row))
    let attributes = ''
    for (const cell of cells) attributes += cell(row)
    const start = `${id},${timeText(timestamp)}${levelTexts[levelCodes[row]!]}${streamText(row)}`
    return `${start}${message(row)},"{${attributes.slice(1)}}"\r\n`
  }
}

/** The texts of streams, each made once. A block has one, and no codes. */
function streamTextOf(columns: RecordColumns, show: (stream: Stream) => string): RowText {
  const texts = columns.streams.map(show)
  if (texts.length === 1) return () => texts[0]!
  const codes = columns.streamCodes
  return row => texts[codes[row]!]!
}

/** In quotes where it has to be. */
function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${doubled(text)}"` : text
}

/** As it is inside of quotes. */
function doubled(text: string): string {
  return text.replaceAll('"', '""')
}

/** The attributes in JSON, each with a comma before it; nothing for a row without it. */
function cellsOf(columns: RecordColumns, quoted: (text: string) => string): RowText[] {
  return Array.from(columns.attributeNames, name => {
    const attribute = shownAttribute(columns, name)
    if (attribute === undefined) return () => ''
    const key = `,${quoted(name)}:`
    return cellOf(attribute, text => key + quoted(text))
  })
}

function cellOf({ column, rows }: AttributeColumn, show: (text: string) => string): RowText {
  const value = valueText(column, show)
  if (rows === undefined) return value
  const { length } = rows
  let at = -1
  return row => {
    if (at === -1) at = countBelow(rows, row)
    while (at < length && rows[at]! < row) at++
    return rows[at] === row ? value(at) : ''
  }
}

/** Codes up to which a list has room for each; beyond, most codes do not occur in a window. */
const listedCodesMax = 1_024

/** The result of `show` for each value of a column, made once per code where the column has codes. */
function valueText(column: SearchableColumn, show: (text: string) => string): RowText {
  // A plain column would have to look for equal values first.
  const codes = column instanceof PlainColumn ? undefined : column.codes?.()
  if (codes === undefined) return index => show(column.textAt(index))
  const { codes: codeOf, codeCount, textOf } = codes
  if (codeCount > listedCodesMax) return index => show(textOf(codeOf[index]!))
  const shown = new Array<string | undefined>(codeCount).fill(undefined)
  return index => {
    const code = codeOf[index]!
    let text = shown[code]
    if (text === undefined) {
      text = show(textOf(code))
      shown[code] = text
    }
    return text
  }
}
