/** A record as fields and as JSON: the same names as in queries and answers. */

import type { AnswerRecord } from '../api/records.ts'
import { compareNames } from '../natural-order.ts'

const builtIn: readonly string[] = ['log_level', 'service.name', 'message']

/** Whether every row shows the field by itself: it needs no column. */
export function isBuiltIn(field: string): boolean {
  return builtIn.includes(field)
}

export interface RecordField {
  readonly name: string
  readonly value: string
}

/** The value of a field; empty when the record does not have it, as in queries. */
export function fieldOf(record: AnswerRecord, field: string): string {
  if (field === 'log_level') return record.log_level
  if (field === 'message') return record.message
  return Object.hasOwn(record.attributes, field) ? record.attributes[field]! : ''
}

/** All fields: message and level, then the attributes by name. */
export function fieldsOf(record: AnswerRecord): readonly RecordField[] {
  const names = Object.keys(record.attributes).sort(compareNames)
  return [
    { name: 'message', value: record.message },
    { name: 'log_level', value: record.log_level },
    ...names.map(name => ({ name, value: record.attributes[name]! })),
  ]
}

/** As the API returns it, without our id. */
export function jsonOf({ timestamp, log_level, message, attributes }: AnswerRecord, indent = 0) {
  return JSON.stringify({ timestamp, log_level, message, attributes }, undefined, indent)
}

/**
 * Attributes that are shown behind the message: short ones, few, and none that has a column. Long ids, which
 * nobody reads, stand last.
 */
export function glanceOf(
  { attributes }: AnswerRecord,
  columns: readonly string[],
): readonly (readonly [name: string, value: string])[] {
  const isShown = (name: string) => ['service.name', 'environment', ...columns].includes(name)
  const fitting = Object.entries(attributes).filter(
    ([name, value]) => !isShown(name) && name.length <= 24 && value.length <= 40,
  )
  const [ids, words] = [true, false].map(wanted =>
    fitting.filter(([, value]) => isLongId(value) === wanted),
  )
  return [...words!, ...ids!].slice(0, 6)
}

/** Digits of a trace, a UUID, a hash or a key: one long word that is no word. */
function isLongId(text: string): boolean {
  if (text.length < 12 || !/^[\w:+/=-]+$/.test(text)) return false
  const digits = text.match(/\d/g)?.length ?? 0
  return digits >= 3 && (/^[\da-f-]+$/i.test(text) || (text.length >= 20 && digits >= 4))
}
