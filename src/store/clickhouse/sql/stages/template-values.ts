/** What templates compute with, as `query/stages/render.ts` has it: texts, numbers, conditions. */
import { numberIn } from '../quantity.ts'
import type { Definitions } from './definitions.ts'
import { type SqlInstant, writtenWhole } from './template-instants.ts'
import { choose, whereKnown } from './unknown.ts'

/** NULL where it is unknown, or where the template fails. */
export interface Value {
  readonly kind: 'text' | 'number' | 'boolean' | 'instant'
  /** Of an instant its milliseconds since 1970. */
  readonly sql: string
  /** Of an instant only: 0…999,999 nanoseconds more. */
  readonly nanos?: string
  /** A text that stands in the template. */
  readonly given?: string
}

/** Bytes of a text that is made of others: longer ones are made by us, who count them. */
export const madeBytesMax = 65_536
/** Whole numbers below are exact, and written without an exponent. */
const wholeEnd = 2 ** 53
/** Smaller fractions are written with an exponent. */
const fractionMin = 1e-6

export function textOfValue({ kind, sql, nanos }: Value, defined: Definitions): string {
  if (kind === 'text') return sql
  if (kind === 'instant') return writtenWhole({ ms: sql, nanos: nanos! }, defined)
  if (kind === 'boolean') return defined.define(choose(sql, "'true'", "'false'"))
  const isSmall = `abs(${sql}) < ${wholeEnd}`
  const whole = `toString(toInt64(if(${isSmall}, ${sql}, 0)))`
  return defined.define(`multiIf(isNull(${sql}) OR NOT ${isSmall}, NULL, ${sql} = trunc(${sql}), ${whole},
    abs(${sql}) >= ${fractionMin}, toString(${sql}), NULL)`)
}

/** The number that a value writes. Of texts that JavaScript reads as numbers besides nobody knows. */
export function numberOfValue({ kind, sql }: Value, defined: Definitions): string {
  if (kind === 'number') return sql
  if (kind === 'boolean') return defined.define(`toFloat64(${sql})`)
  if (kind === 'instant') return defined.define("CAST(NULL, 'Nullable(Float64)')")
  const number = defined.define(numberIn(sql))
  return defined.define(finite(number))
}

/** Its whole part. */
export function wholeOfValue(value: Value, defined: Definitions): string {
  return defined.define(`trunc(${numberOfValue(value, defined)})`)
}

export function isTrue({ kind, sql }: Value, defined: Definitions): string {
  if (kind === 'boolean') return sql
  if (kind === 'instant') return defined.define(whereKnown([sql], '1'))
  return defined.define(kind === 'text' ? `${sql} != ''` : `${sql} != 0`)
}

/** A text that stands in the template, and is one to ClickHouse, too; undefined for any other value. */
export function givenText({ given }: Value): string | undefined {
  return given?.isWellFormed() ? given : undefined
}

export function instantValue({ ms, nanos }: SqlInstant): Value {
  return { kind: 'instant', sql: ms, nanos }
}

/** A whole number that stands in the template; undefined for any other value. */
export function givenWhole({ given }: Value): number | undefined {
  if (given === undefined || given.trim() === '') return undefined
  const whole = Math.trunc(Number(given))
  return Number.isSafeInteger(whole) ? whole : undefined
}

/** A text; unknown where it is long. */
export function madeText(sql: string, defined: Definitions): Value {
  const made = defined.define(sql)
  return {
    kind: 'text',
    sql: defined.define(`if(length(${made}) <= ${madeBytesMax}, ${made}, NULL)`),
  }
}

export function madeNumber(sql: string, defined: Definitions): Value {
  const made = defined.define(sql)
  return { kind: 'number', sql: defined.define(finite(made)) }
}

export function madeCondition(sql: string, defined: Definitions): Value {
  return { kind: 'boolean', sql: defined.define(sql) }
}

/** The same value, unknown where one of others is: all are computed, whichever it is. */
export function onceKnown(value: Value, others: readonly Value[], defined: Definitions): Value {
  const asked = others.filter(({ given }) => given === undefined).map(({ sql }) => sql)
  if (asked.length === 0) return value
  return { ...value, sql: defined.define(whereKnown(asked, value.sql)) }
}

const finite = (number: string) => `if(isFinite(${number}), ${number}, NULL)`
