/** An opened record: its message in full, each field with what can be done with it, and the ways on. */

import type { AnswerRecord } from '../api/records.ts'
import { environment } from '../app/environment.tsx'
import { fullText } from '../time/clock.ts'
import { rangeOf } from '../time/range.ts'
import { zone } from '../time/zone.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { FieldActions } from './field-actions.tsx'
import { fieldsOf, jsonOf } from './record-fields.ts'
import { LongText } from './record-text.tsx'
import {
  filterableMax,
  filterBy,
  form,
  kindOfClick,
  linked,
  query,
  surrounded,
  timesNow,
} from './shown.ts'
import { soughtIn } from './sought.ts'

export function RecordDetail({ record }: { readonly record: AnswerRecord }) {
  const [message, ...fields] = fieldsOf(record)
  return (
    <div class="detail">
      {form.value === 'json' ? (
        <pre class="detail-message">
          <LongText text={jsonOf(record, 2)} />
        </pre>
      ) : (
        <div class="detail-text" data-field="message">
          <pre class="detail-message">
            <LongText text={message!.value} sought={soughtIn(query.value)} />
          </pre>
          <FieldActions {...message!} />
        </div>
      )}
      <dl class="detail-fields">
        {fields.map(field => (
          <div class="detail-field" key={field.name} data-field={field.name}>
            <dt class="soft" title={field.name}>
              {field.name}
            </dt>
            <dd>
              <FieldValue {...field} />
            </dd>
            <dd class="detail-actions">
              <FieldActions {...field} />
            </dd>
          </div>
        ))}
      </dl>
      <div class="detail-ways">
        <Button isSmall kind="outline" icon="layers" onClick={() => (surrounded.value = record)}>
          Surrounding records
        </Button>
        <CopyButton isSmall hasText label="Copy link" text={() => linkTo(record)} />
        <CopyButton isSmall hasText label="Copy JSON" text={jsonOf(record, 2)} />
        <span class="detail-time faint">{fullText(record.timestamp, zone.value)}</span>
      </div>
    </div>
  )
}

/** A click keeps records with this value, with Alt it leaves them out. */
function FieldValue({ name, value }: { readonly name: string; readonly value: string }) {
  if (value.length > filterableMax) return <LongText text={value} />
  return (
    <button
      type="button"
      class="field-value"
      title="Click: filter for it. Alt-click: filter it out."
      onClick={event => filterBy(name, value, kindOfClick(event))}
    >
      <LongText text={value === '' ? '""' : value} />
    </button>
  )
}

/** The address of this view at the times it has now, with the record opened. */
async function linkTo({ id, timestamp }: AnswerRecord): Promise<string> {
  const { startTime, endTime } = timesNow()
  const times = {
    startTime: Math.min(startTime, timestamp),
    endTime: Math.max(endTime, timestamp),
  }
  const link = new URL(window.location.href)
  const range = rangeOf(times)
  const changes = { ...range, ...linked.change(id), ...environment.change(environment.peek()) }
  for (const name of ['live', 'refresh']) link.searchParams.delete(name)
  for (const [name, value] of Object.entries(changes)) {
    if (value !== undefined) link.searchParams.set(name, value)
  }
  return link.href
}
