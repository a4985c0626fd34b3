/**
 * One OTLP log record to one record of ours, whichever encoding it came in.
 *
 * - timestamp: the time of the event, otherwise the time at which it was observed, otherwise of
 *   receipt. What is finer than a millisecond is in `timestamp_ns`.
 * - level: see `severity.ts`.
 * - message: a body that is text as it is, any other as compact JSON. Without a body, the event's
 *   name; without that, the record's attributes as compact JSON.
 * - attributes: the record's, then those of its scope and resource that it does not have itself,
 *   each under its own name, flat as those of any event (`flatten.ts`). To the record's come
 *   `trace_id`, `span_id` and `event_name`; to the scope's, `otel.scope.name` and
 *   `otel.scope.version`, as OpenTelemetry names them for formats other than its own.
 */

import { limits } from '../../limits.ts'
import { ProblemError } from '../../problems.ts'
import { type LogRecord, nanosecondsAttribute, type Timestamp } from '../../record.ts'
import { flatten } from '../flatten.ts'
import type { Moment } from '../moment.ts'
import { type Fields, newFields } from './any-value.ts'
import { readSeverity } from './severity.ts'

/** Where log records come from; one object for all records of a scope. */
export interface Origin {
  /** The resource's attributes. */
  readonly resource: Fields
  readonly scopeName: string
  readonly scopeVersion: string
  readonly scopeAttributes: Fields
}

/** A log record as it was sent; what was absent is 0 or empty, as in protobuf. */
export interface OtlpLogRecord {
  /** Undefined when absent. */
  readonly time: Moment | undefined
  readonly observedTime: Moment | undefined
  readonly severityNumber: number
  readonly severityText: string
  /** As `any-value.ts` has it; undefined when absent. */
  readonly body: unknown
  /** The record's alone, and `recordOf`'s to add to. */
  readonly attributes: Fields
  readonly droppedAttributesCount: number
  /** Lower-case hex; empty when absent. */
  readonly traceId: string
  readonly spanId: string
  readonly eventName: string
}

/** The attributes that all records of an origin share. */
export interface SharedAttributes {
  /** Names and values in turn. */
  readonly list: readonly string[]
  readonly names: ReadonlySet<string>
}

/** Refuses with `attributes_too_many` or `attribute_too_large`, naming the attribute. */
export function shareAttributes(origin: Origin): SharedAttributes {
  const all = Object.assign(newFields(), origin.resource, origin.scopeAttributes)
  setUnlessEmpty(all, 'otel.scope.name', origin.scopeName)
  setUnlessEmpty(all, 'otel.scope.version', origin.scopeVersion)
  const list = flatten(all, [])
  return { list, names: new Set(list.filter((_, index) => index % 2 === 0)) }
}

/**
 * The record that `log` becomes; takes what `log` holds. Refuses with `attributes_too_many` or
 * `attribute_too_large`, naming the attribute.
 */
export function recordOf(
  log: OtlpLogRecord,
  shared: SharedAttributes,
  receivedAt: Timestamp,
): LogRecord {
  const { level, text, number } = readSeverity(log.severityText, log.severityNumber)
  const message = messageOf(log)
  const time = log.time ?? log.observedTime
  const own = log.attributes
  setUnlessEmpty(own, nanosecondsAttribute, time?.nanoseconds ?? '')
  setUnlessEmpty(own, 'severity_text', text)
  setUnlessEmpty(own, 'severity_number', number)
  setUnlessEmpty(own, 'trace_id', log.traceId)
  setUnlessEmpty(own, 'span_id', log.spanId)
  setUnlessEmpty(own, 'event_name', log.eventName)
  setUnlessEmpty(own, 'otel.dropped_attributes_count', log.droppedAttributesCount)
  return {
    timestamp: time?.timestamp ?? receivedAt,
    level,
    message,
    attributes: withShared(flatten(own, []), shared),
  }
}

function messageOf({ body, eventName, attributes }: OtlpLogRecord): string {
  if (typeof body === 'string') return body
  if (body !== undefined) return JSON.stringify(body)
  return eventName === '' ? JSON.stringify(attributes) : eventName
}

function setUnlessEmpty(fields: Fields, name: string, value: string | number): void {
  if (value !== '' && value !== 0) fields[name] = value
}

/** `own`, followed by what is shared under other names. */
function withShared(own: readonly string[], { list, names }: SharedAttributes): readonly string[] {
  const ownNames = own.filter((name, index) => index % 2 === 0 && names.has(name))
  const others = ownNames.length === 0 ? list : without(list, new Set(ownNames))
  if (own.length + others.length > 2 * limits.eventAttributesMax) {
    const detail = `expected at most ${limits.eventAttributesMax} attributes, those of scope and resource among them`
    throw new ProblemError('attributes_too_many', detail, { field: 'attributes' })
  }
  return own.concat(others)
}

function without(list: readonly string[], names: ReadonlySet<string>): readonly string[] {
  return list.filter((_, index) => !names.has(list[index - (index % 2)]!))
}
