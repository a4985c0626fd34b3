/** Records as people read them: one line each. */
import { levelStyle, type Paint } from './colours.ts'
import { printable } from './printable.ts'

/** A record as an answer holds it, as far as it could be read. */
export interface LogRecord {
  readonly timestamp: number
  readonly level: string
  readonly message: string
  readonly attributes: readonly (readonly [name: string, value: string])[]
}

/** Undefined for what is no record. */
export function readRecord(value: unknown): LogRecord | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { timestamp, log_level, message, attributes } = value as Record<string, unknown>
  if (typeof timestamp !== 'number' || Math.abs(timestamp) > 8.64e15) return undefined
  if (typeof attributes !== 'object' || attributes === null) return undefined
  return {
    timestamp,
    level: String(log_level),
    message: String(message),
    attributes: Object.entries(attributes).map(([name, value]) => [name, String(value)]),
  }
}

const serviceLabel = 'service.name'
/** The longest of the usual levels; rarer ones are longer and push the rest of their line. */
const levelColumns = 5

/** `2026-11-20T09:30:00.123Z ERROR checkout  payment timed out  environment=prod order=81723` */
export function recordLine(record: LogRecord, paint: Paint): string {
  const service = record.attributes.find(([name]) => name === serviceLabel)?.[1] ?? ''
  const level = printable(record.level.toUpperCase()).padEnd(levelColumns)
  const attributes = record.attributes
    .filter(([name]) => name !== serviceLabel)
    .map(([name, value]) => `${paint('cyan', `${word(name)}=`)}${word(value)}`)
  const start = [
    paint('gray', new Date(record.timestamp).toISOString()),
    paint(levelStyle(record.level), level),
    paint('bold', word(service)),
  ]
  return [start.join(' '), printable(record.message), attributes.join(' ')]
    .filter(part => part !== '')
    .join('  ')
}

/** A name or a value as it is when it is plainly one word, in quotes otherwise. */
export function word(text: string): string {
  return /^[^\s"'=\\]+$/u.test(text) && printable(text) === text
    ? text
    : `"${printable(text.replaceAll('\\', '\\\\').replaceAll('"', '\\"'))}"`
}
