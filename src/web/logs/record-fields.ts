/** A record as fields and as JSON: the same names as in queries and answers. */

import type { AnswerRecord } from '../api/records.ts'
import { compareNames } from '../natural-order.ts'

/** Fields that every row shows by itself. */
export const usualColumns: readonly string[] = ['log_level', 'service.name', 'message']

/** The value of a field; empty when the record does not have it, as in queries. */
export function fieldOf(record: AnswerRecord, field: string): string {
  if (field === 'log_level') return record.log_level
  if (field === 'message') return record.message
  return Object.hasOwn(record.attributes, field) ? record.attributes[field]! : ''
}

/** All fields: message and level, then the attributes by name. */
export function fieldsOf(record: AnswerRecord): readonly { name: string; value: string }[] {
  const names = Object.keys(record.attributes).sort(compareNames)
  return [
    { name: 'message', value: record.message },
    { name: 'log_level', value: record.log_level },
    ...names.map(name => ({ name, value: record.attributes[name]! })),
  ]
}

/** As the API gives it, without our id. */
export function jsonOf({ timestamp, log_level, message, attributes }: AnswerRecord, indent = 0) {
  return JSON.stringify({ timestamp, log_level, message, attributes }, undefined, indent)
}

/** Attributes that are shown behind the message: short ones, few, and none that has a column. */
export function glanceOf(
  { attributes }: AnswerRecord,
  columns: readonly string[],
): readonly (readonly [name: string, value: string])[] {
  const isShown = (name: string) => ['service.name', 'environment', ...columns].includes(name)
  return Object.entries(attributes)
    .filter(([name, value]) => !isShown(name) && name.length <= 24 && value.length <= 40)
    .slice(0, 6)
}
