/** One record in the list: a line, or two or three on a narrow screen; as columns or as JSON. */

import type { AnswerRecord } from '../api/records.ts'
import { levelClass, levelColor } from '../chart/colors.ts'
import { clockText, dayText, type Zone } from '../time/clock.ts'
import { Icon } from '../ui/icon.tsx'
import { fieldOf, glanceOf, jsonOf } from './record-fields.ts'
import { RecordText } from './record-text.tsx'
import { lineHeight, linesOf } from './row-lines.ts'
import { isNarrow } from './screen.ts'
import { marked, opened } from './shown.ts'

/** How all rows look. A new object makes all rows anew. */
export interface RowLook {
  readonly zone: Zone
  /** The range is longer than a day: the clock alone does not tell when. */
  readonly hasDay: boolean
  readonly columns: readonly string[]
  readonly isJson: boolean
  /** Characters of the message that fit into a line when it is wrapped; undefined when it is not. */
  readonly places: number | undefined
  readonly sought: RegExp | undefined
  /** Records that arrived live a moment ago. */
  isFresh?(id: string): boolean
}

/** Of a message that is cut at the edge of the window anyway, characters. */
const oneLineMax = 600

interface LogRowProps {
  readonly record: AnswerRecord
  readonly look: RowLook
  /** Outside of the list, which knows by itself. */
  readonly isOpen?: boolean
}

export function LogRow({ record, look, ...props }: LogRowProps) {
  const { id, timestamp, log_level: level } = record
  const { zone, columns, isJson, places, sought } = look
  const text = mainText(record, look)
  const isOpen = props.isOpen ?? opened.value.has(id)
  const time = `${look.hasDay ? `${dayText(timestamp, zone)} ` : ''}${clockText(timestamp, zone)}`
  const state = `${marked.value === id ? ' log-row-marked' : ''}${look.isFresh?.(id) ? ' log-row-fresh' : ''}`
  return (
    <div
      class={`log-row${isJson ? ' log-row-json' : ''}${state}`}
      data-id={id}
      style={{ '--bar': `var(${levelColor(level)})` }}
    >
      <button
        type="button"
        class="log-open"
        tabIndex={-1}
        aria-expanded={isOpen}
        aria-label={`Record of ${time}`}
      >
        <Icon name={isOpen ? 'down' : 'right'} />
      </button>
      <time class="faint">{time}</time>
      {!isJson && (
        <>
          <span class={`truncate ${levelClass(level)}`}>{level}</span>
          <span class="log-service soft truncate">
            <RecordText text={fieldOf(record, 'service.name')} isOneLine />
          </span>
          {!isNarrow.value &&
            columns.map(field => (
              <span class="log-cell truncate" key={field}>
                <RecordText text={fieldOf(record, field).slice(0, oneLineMax)} isOneLine />
              </span>
            ))}
        </>
      )}
      {places === undefined ? (
        <span class="log-message truncate">
          <RecordText text={text.slice(0, oneLineMax)} sought={sought} isOneLine />
          {!isJson &&
            glanceOf(record, columns).map(([name, value]) => (
              <RecordText key={name} className="log-glance" text={`${name}=${value}`} isOneLine />
            ))}
        </span>
      ) : (
        <span
          class="log-message log-message-wrapped"
          style={{ height: `${linesOf(text, places) * lineHeight}px` }}
        >
          <RecordText text={text.slice(0, places * 22)} sought={sought} />
        </span>
      )}
      {hasColumnLine(look) && <ColumnLine record={record} columns={columns} />}
    </div>
  )
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
          <RecordText text={fieldOf(record, field).slice(0, oneLineMax) || '–'} isOneLine />
        </span>
      ))}
    </span>
  )
}

/** What fills the rest of the row, and is wrapped. */
export function mainText(record: AnswerRecord, { isJson }: Pick<RowLook, 'isJson'>): string {
  return isJson ? jsonOf(record) : record.message
}
