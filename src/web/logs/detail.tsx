/** An opened record: its message in full, each field with what can be done with it, and the ways on. */

import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { pathTo } from '../../http/page-paths.ts'
import { traceIdIn } from '../../trace-ids.ts'
import type { AnswerRecord } from '../api/records.ts'
import { environment } from '../app/environment.tsx'
import { fullText } from '../time/clock.ts'
import { rangeOf } from '../time/range.ts'
import { zone } from '../time/zone.ts'
import { Button, buttonClass, IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { FieldActions } from './field-actions.tsx'
import { jsonIn } from './json-text.ts'
import { JsonView } from './json-view.tsx'
import { hasLink } from './links.ts'
import { fieldsOf, jsonOf, type RecordField } from './record-fields.ts'
import { LongText } from './record-text.tsx'
import { isNarrow } from './screen.ts'
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
  const trace = traceIdIn(record.attributes)
  return (
    <div class="detail">
      {form.value === 'json' ? (
        <pre class="detail-message">
          <LongText text={jsonOf(record, 2)} />
        </pre>
      ) : (
        <DetailField className="detail-text" {...message!}>
          <MessageText text={message!.value} />
        </DetailField>
      )}
      <dl class="detail-fields">
        {fields.map(field => (
          <DetailField className="detail-field" key={field.name} {...field}>
            <dt class="soft truncate" title={field.name}>
              {field.name}
            </dt>
            <dd>
              <FieldValue {...field} />
            </dd>
          </DetailField>
        ))}
      </dl>
      <div class="detail-ways line wraps">
        <Button isSmall kind="outline" icon="layers" onClick={() => (surrounded.value = record)}>
          Surrounding records
        </Button>
        {trace !== undefined && (
          <a
            class={buttonClass({ isSmall: true, kind: 'outline' })}
            data-action="trace"
            href={pathTo('trace', trace.traceId)}
          >
            <Icon name="columns" />
            Trace
          </a>
        )}
        <CopyButton isSmall hasText label="Copy link" text={() => linkTo(record)} />
        <CopyButton isSmall hasText label="Copy JSON" text={jsonOf(record, 2)} />
        <span class="faint at-end">{fullText(record.timestamp, zone.value)}</span>
      </div>
    </div>
  )
}

interface DetailFieldProps extends RecordField {
  readonly className: string
  readonly children: ComponentChildren
}

/**
 * A field with its actions; on a narrow screen those come when asked for, so that more fields are in
 * sight.
 */
function DetailField({ name, value, className, children }: DetailFieldProps) {
  const [isOpen, setOpen] = useState(false)
  const Actions = className === 'detail-text' ? 'div' : 'dd'
  return (
    <div class={`${className}${isOpen ? ' detail-open' : ''}`} data-field={name}>
      {children}
      {isNarrow.value && (
        <Actions class="detail-more">
          <IconButton
            isSmall
            icon="more"
            label={`Actions for ${name}`}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          />
        </Actions>
      )}
      <Actions class="detail-actions">
        <FieldActions name={name} value={value} />
      </Actions>
    </div>
  )
}

/** JSON in it folds, unless one wants it as it came. */
function MessageText({ text }: { readonly text: string }) {
  const [isRaw, setRaw] = useState(false)
  const sought = soughtIn(query.value)
  const json = useMemo(() => jsonIn(text), [text])
  const toggle = json !== undefined && (
    <span class="json-toggle">
      <Button isSmall aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
        Raw
      </Button>
    </span>
  )
  return (
    <div class="detail-message">
      {toggle}
      {json !== undefined && !isRaw ? (
        <JsonView {...json} sought={sought} />
      ) : (
        <pre>
          <LongText text={text} sought={sought} hasLinks />
        </pre>
      )}
    </div>
  )
}

/** A click keeps records with this value, with Alt it leaves them out. */
function FieldValue({ name, value }: RecordField) {
  const json = useMemo(() => jsonIn(value), [value])
  if (json !== undefined) return <JsonView {...json} />
  if (value.length > filterableMax || hasLink(value)) return <LongText text={value} hasLinks />
  return (
    <button
      type="button"
      class="field-value bare"
      title="Click: filter for it. Alt-click: exclude it."
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
