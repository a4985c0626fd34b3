/** One record in the list: a line, or two or three on a narrow screen; as columns or as JSON. */

import type { AnswerRecord } from '../api/records.ts'
import { levelClass, levelEdgeClass } from '../chart/colors.ts'
import { clockText, dayText, type Precision, type Zone } from '../time/clock.ts'
import { fieldOf, glanceOf, jsonOf } from './record-fields.ts'
import { lineOf, RecordText } from './record-text.tsx'
import { lineHeight, linesOf } from './row-lines.ts'
import { isNarrow } from './screen.ts'
import { marked, opened } from './shown.ts'
import { isPlain } from './shown-text.ts'

/** How all rows look. A new object makes all rows anew. */
export interface RowLook {
  readonly zone: Zone
  /** The range is longer than a day: the clock alone does not tell when. */
  readonly hasDay: boolean
  readonly columns: readonly string[]
  readonly isJson: boolean
  readonly isWrapped: boolean
  /** Characters of the message that fit into a line; infinite when that is not known. */
  readonly places: number
  readonly sought: RegExp | undefined
  /** To what the times are told. */
  readonly precision: Precision
  /** Records that arrived live a moment ago. */
  isFresh?(id: string): boolean
}

/** Of a message that is cut at the edge of the window anyway, characters. */
const oneLineMax = 600
/** Characters that surely fit into the column of the level, and into the widest of the service. */
const levelFits = 6
const serviceFits = 14

interface LogRowProps {
  readonly record: AnswerRecord
  readonly look: RowLook
  /** Outside of the list, which knows by itself. */
  readonly isOpen?: boolean
}

export function LogRow({ record, look, ...props }: LogRowProps) {
  const { id, timestamp, log_level: level } = record
  const { zone, columns, isJson, isWrapped, places, sought } = look
  const text = mainText(record, look)
  const service = fieldOf(record, 'service.name')
  // Beside other columns, and on a phone, its own may be narrower.
  const serviceMax = columns.length === 0 && !isNarrow.value ? serviceFits : 0
  const isOpen = props.isOpen ?? opened.value.has(id)
  const clock = clockText(timestamp, zone, look.precision)
  const time = look.hasDay ? `${dayText(timestamp, zone)} ${clock}` : clock
  const shape = `${levelEdgeClass(level)}${isJson ? ' log-row-json' : ''}`
  const state = `${marked.value === id ? ' log-row-marked' : ''}${look.isFresh?.(id) ? ' log-row-fresh' : ''}`
  return (
    <div class={`log-row ${shape}${state}`} data-id={id}>
      <button
        type="button"
        class="log-open bare faint"
        tabIndex={-1}
        aria-expanded={isOpen}
        aria-label={`Record of ${time}`}
      />
      <time class="faint">{time}</time>
      {!isJson && (
        <>
          <span class={`${cutClass(level, levelFits)} ${levelClass(level)}`}>{level}</span>
          <span class={`log-service soft ${cutClass(service, serviceMax)}`}>{lineOf(service)}</span>
          {!isNarrow.value &&
            columns.map(field => (
              <span class="log-cell truncate" key={field}>
                {lineOf(fieldOf(record, field).slice(0, oneLineMax))}
              </span>
            ))}
        </>
      )}
      {!isWrapped ? (
        <span class="log-message truncate">
          {lineOf(text.slice(0, oneLineMax), sought)}
          {!isJson && <Glance record={record} columns={columns} places={places} />}
        </span>
      ) : (
        <span
          class="log-message log-message-wrapped"
          style={{ height: `${linesOf(wrappedText(record, look), places) * lineHeight}px` }}
        >
          <RecordText text={text.slice(0, places * 22)} sought={sought} />
          {!isJson && (
            <span class="log-glance faint">
              {glanceTexts(record, columns).map((attribute, index) => (
                <RecordText key={index} text={attribute} isOneLine />
              ))}
            </span>
          )}
        </span>
      )}
      {hasColumnLine(look) && <ColumnLine record={record} columns={columns} />}
    </div>
  )
}

/** What is surely short enough for its column needs no edge to be cut at, of which a list has many. */
function cutClass(text: string, fits: number): string {
  return text.length <= fits && isPlain(text) ? '' : 'truncate'
}

interface GlanceProps {
  readonly record: AnswerRecord
  readonly columns: readonly string[]
  /** Of the whole line. */
  readonly places: number
}

/** Some attributes behind the message, as far as there is room: the rest would be cut anyway. */
function Glance({ record, columns, places }: GlanceProps) {
  const { message } = record
  const room = isPlain(message) ? places - message.length : places
  if (room <= 0) return null
  const texts = glanceTexts(record, columns)
  const line = texts.join('')
  return (
    <span class="log-glance faint">
      {isPlain(line)
        ? line.slice(0, room + 1)
        : texts.map((text, index) => <RecordText key={index} text={text} isOneLine />)}
    </span>
  )
}

function glanceTexts(record: AnswerRecord, columns: readonly string[]): readonly string[] {
  return glanceOf(record, columns).map(([name, value]) => `  ${name}=${value}`)
}

/** Narrow rows have no room beside each other: the chosen columns are a line of their own. */
export function hasColumnLine({ columns, isJson }: Pick<RowLook, 'columns' | 'isJson'>): boolean {
  return isNarrow.value && !isJson && columns.length > 0
}

/** With their names, as there is no heading. */
function ColumnLine({ record, columns }: { record: AnswerRecord; columns: readonly string[] }) {
  return (
    <span class="log-columns truncate">
      {columns.map(field => (
        <span class="log-cell" key={field}>
          <span class="faint">{field} </span>
          {lineOf(fieldOf(record, field).slice(0, oneLineMax) || '–')}
        </span>
      ))}
    </span>
  )
}

/** What fills the rest of the row. */
function mainText(record: AnswerRecord, { isJson }: Pick<RowLook, 'isJson'>): string {
  return isJson ? jsonOf(record) : record.message
}

/** All that stands there when it is wrapped: behind the message its attributes. */
export function wrappedText(
  record: AnswerRecord,
  look: Pick<RowLook, 'isJson' | 'columns'>,
): string {
  const attributes = look.isJson ? '' : glanceTexts(record, look.columns).join('')
  return mainText(record, look) + attributes
}
