/**
 * Random questions about stored records, and their answers worked out in the plainest way: every record
 * is looked at, with JavaScript's own strings and expressions. What to ask for is drawn from the records
 * themselves, so that most questions find something.
 */
import fc from 'fast-check'
import { object } from '../query/plain.ts'

/** A record as it must be stored, in order of arrival. */
export interface StoredRecord {
  readonly timestamp: number
  readonly level: string
  readonly message: string
  /** With `service.name` and `environment`. */
  readonly attributes: ReadonlyMap<string, string>
}

/** A condition in the language's words, and what it means. */
interface Condition {
  readonly text: string
  readonly holds: (record: StoredRecord) => boolean
}

export interface Question {
  /** The selector's text, such as `logs{"a"="b"} |= "c"`. */
  readonly selector: string
  readonly startTime: number
  readonly endTime: number
  readonly order: 'asc' | 'desc'
  /** Records a page. */
  readonly limit: number
  readonly groupBy: readonly string[]
  /** A field whose values are asked for. */
  readonly field: string
  readonly bucketMs: number
  readonly matches: (record: StoredRecord) => boolean
}

/** The value of any label: an absent one is empty. */
export function labelOf(record: StoredRecord, label: string): string {
  if (label === 'log_level') return record.level
  if (label === 'message') return record.message
  return record.attributes.get(label) ?? ''
}

/** Whether a record has the field, empty or not. */
export function hasField(record: StoredRecord, field: string): boolean {
  return field === 'log_level' || field === 'message' || record.attributes.has(field)
}

export function arbitraryQuestion(records: readonly StoredRecord[]): fc.Arbitrary<Question> {
  const times = records.map(({ timestamp }) => timestamp).sort((a, b) => a - b)
  const record = fc.constantFrom(...records)
  const label = record.chain(({ attributes }) =>
    fc.constantFrom(
      'log_level',
      'message',
      'service.name',
      'environment',
      'absent',
      ...attributes.keys(),
    ),
  )
  const moment = fc
    .tuple(fc.constantFrom(...times), fc.integer({ min: -2, max: 2 }))
    .map(([time, away]) => time + away)
  const range = fc.oneof(
    fc.constant([times[0]!, times.at(-1)!]),
    fc.tuple(moment, moment).map(([a, b]) => [Math.min(a, b), Math.max(a, b)]),
  )
  const conditions = fc.tuple(
    fc.array(matcher(record, label), { maxLength: 2 }),
    fc.array(lineFilter(record), { maxLength: 2 }),
  )
  return fc
    .tuple(
      conditions,
      range,
      object({
        order: fc.constantFrom('asc' as const, 'desc'),
        limit: fc.integer({ min: 1, max: 300 }),
        groupBy: fc.uniqueArray(label, { minLength: 1, maxLength: 3 }),
        field: label,
        bucketMs: fc.constantFrom(3_600_000, 86_400_000, 7_777_777),
      }),
    )
    .map(([[matchers, filters], [startTime, endTime], rest]) => {
      const braces = matchers.length === 0 ? '' : `{${matchers.map(({ text }) => text).join(', ')}}`
      const all = [...matchers, ...filters]
      return {
        ...rest,
        selector: [`logs${braces}`, ...filters.map(({ text }) => text)].join(' '),
        startTime: startTime!,
        endTime: endTime!,
        matches: found =>
          found.timestamp >= startTime! &&
          found.timestamp <= endTime! &&
          all.every(({ holds }) => holds(found)),
      }
    })
}

function matcher(
  record: fc.Arbitrary<StoredRecord>,
  anyLabel: fc.Arbitrary<string>,
): fc.Arbitrary<Condition> {
  return fc
    .tuple(
      anyLabel,
      record,
      fc.constantFrom('=', '!=', '=~', '!~'),
      cut,
      fc.constantFrom(...wholeExpressions),
    )
    .map(([label, { attributes, level, message }, operator, cutting, expression]) => {
      const value = labelOf({ attributes, level, message, timestamp: 0 }, label)
      const isEqual = operator[1] === undefined || operator === '!='
      const pattern = expression(pieceOf(value, cutting))
      const wanted = isEqual ? value : pattern
      const tested = isEqual ? undefined : new RegExp(`^(?:${pattern.replace('(?s)', '')})$`, 'su')
      return {
        text: `${JSON.stringify(label)}${operator}${JSON.stringify(wanted)}`,
        holds: found => {
          const actual = labelOf(found, label)
          const isMatch = tested === undefined ? actual === value : tested.test(actual)
          return isMatch !== operator.startsWith('!')
        },
      }
    })
}

function lineFilter(record: fc.Arbitrary<StoredRecord>): fc.Arbitrary<Condition> {
  return fc
    .tuple(
      record,
      fc.constantFrom('|=', '!=', '|~', '!~'),
      cut,
      fc.constantFrom(...partExpressions),
    )
    .map(([{ message }, operator, cutting, expression]) => {
      const needle = pieceOf(message, cutting)
      const pattern = expression(needle)
      const isText = operator === '|=' || operator === '!='
      const tested = isText ? undefined : new RegExp(pattern.replace('(?s)', ''), 'su')
      return {
        text: `${operator} ${JSON.stringify(isText ? needle : pattern)}`,
        holds: found => {
          const isMatch = tested?.test(found.message) ?? found.message.includes(needle)
          return isMatch !== operator.startsWith('!')
        },
      }
    })
}

/** Where a piece of a text begins and how long it is; a letter of it is changed now and then. */
const cut = fc.tuple(fc.nat(30), fc.nat(12), fc.nat(9))

function pieceOf(text: string, [from, length, change]: [number, number, number]): string {
  const characters = [...text]
  const start = characters.length === 0 ? 0 : from % characters.length
  const piece = characters.slice(start, start + length)
  if (change === 0 && piece.length > 0) piece[0] = 'z'
  return piece.join('')
}

/** Written so that RE2 and JavaScript understand the same; `(?s)` is JavaScript's flag `s`. */
const partExpressions: readonly ((piece: string) => string)[] = [
  piece => literal(piece),
  piece => `(?s)^${literal(piece)}`,
  piece => `(?s)${literal(piece)}$`,
  piece => `(?s)${literal(piece.slice(0, 1))}.*${literal(piece.slice(-1))}`,
  piece => `${literal(piece)}|[0-9]{3}`,
  () => '[a-z]+ [0-9]+',
]

const wholeExpressions: readonly ((piece: string) => string)[] = [
  piece => `(?s).*${literal(piece)}.*`,
  piece => `(?s)${literal(piece)}.*`,
  piece => `(?s).*${literal(piece)}`,
  piece => `${literal(piece)}|info|error`,
  () => '[0-9]+',
  () => '(?s).+',
  () => '',
]

/** Halves of characters never come here: pieces are cut by character, but `slice` above may cut one. */
function literal(piece: string): string {
  return piece.toWellFormed().replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
