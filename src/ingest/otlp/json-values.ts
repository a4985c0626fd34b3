/**
 * Fields and values of OTLP in JSON, as protobuf's JSON mapping has them: 64-bit integers as text
 * or as numbers, bytes in base64, null for what is absent. Throws `field_invalid`, naming the
 * field.
 */

import { limits } from '../../limits.ts'
import { ProblemError } from '../../problems.ts'
import { isRawNumber } from '../numbers.ts'
import {
  bytesValue,
  doubleValue,
  type Fields,
  integerValue,
  newFields,
  requireDepth,
} from './any-value.ts'

/**
 * A list takes up to four levels of JSON (`{"kvlistValue":{"values":[{"value":`), and a record
 * four around it. Deeper JSON need not be parsed.
 */
export const jsonDepthMax = 4 * (limits.eventDepthMax + 2)

export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

export function requireObject(value: unknown, field: string): Fields {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject || isRawNumber(value)) throw invalid(field, 'an object', value)
  return value as Fields
}

/** Empty when absent. */
export function readText(object: Fields, field: string): string {
  const value = object[field]
  if (isAbsent(value)) return ''
  if (typeof value !== 'string') throw invalid(field, 'a string', value)
  return value
}

/** 0 when absent. Anything in 32 bits, with a sign or without. */
export function readInteger(object: Fields, field: string): number {
  const value = readBig(object[field], field)
  if (value < -(1n << 31n) || value >= 1n << 32n) throw invalid(field, 'in 32 bits', value)
  return Number(value)
}

/** 0 when absent. */
export function readBig(value: unknown, field: string): bigint {
  if (isAbsent(value)) return 0n
  if (Number.isSafeInteger(value)) return BigInt(value as number)
  const text = isRawNumber(value) ? value.rawJSON : String(value)
  const isNumber = typeof value === 'number' || typeof value === 'string' || isRawNumber(value)
  if (!isNumber || !/^-?\d{1,20}$/.test(text)) throw invalid(field, 'an integer', value)
  return BigInt(text)
}

/** Keys with values; `depth` lists stand around each value. */
export function readFields(list: unknown, depth: number): Fields {
  const result = newFields()
  for (const element of listOf(list, 'attributes')) {
    const keyValue = requireObject(element, 'attributes')
    result[readText(keyValue, 'key')] = readAnyValue(keyValue.value, depth)
  }
  return result
}

/** A value inside of `depth` lists; null for an empty one. */
export function readAnyValue(json: unknown, depth: number): unknown {
  if (isAbsent(json)) return null
  const value = requireObject(json, 'value')
  for (const field in readers) {
    const held = value[field]
    if (!isAbsent(held)) return readers[field as keyof typeof readers](held, depth)
  }
  return null
}

const readers = {
  stringValue: (held: unknown) => readText({ stringValue: held }, 'stringValue'),
  boolValue(held: unknown) {
    if (typeof held !== 'boolean') throw invalid('boolValue', 'true or false', held)
    return held
  },
  intValue(held: unknown) {
    const value = readBig(held, 'intValue')
    if (BigInt.asIntN(64, value) !== value) throw invalid('intValue', 'in 64 bits', value)
    return integerValue(value)
  },
  doubleValue: readDouble,
  arrayValue(held: unknown, depth: number) {
    requireDepth(depth + 1)
    const { values } = requireObject(held, 'arrayValue')
    return listOf(values, 'arrayValue').map(value => readAnyValue(value, depth + 1))
  },
  kvlistValue(held: unknown, depth: number) {
    requireDepth(depth + 1)
    return readFields(requireObject(held, 'kvlistValue').values, depth + 1)
  },
  bytesValue(held: unknown) {
    if (typeof held !== 'string' || !/^[\w+/-]*={0,2}$/.test(held)) {
      throw invalid('bytesValue', 'base64', held)
    }
    return bytesValue(Buffer.from(held, 'base64'))
  },
}

const namedDoubles = ['NaN', 'Infinity', '-Infinity']

function readDouble(held: unknown): number | string {
  const isNumber = typeof held === 'number' || isRawNumber(held)
  const text = isRawNumber(held) ? held.rawJSON : String(held)
  const isText = typeof held === 'string' && /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(held)
  if (!isNumber && !isText && !namedDoubles.includes(held as string)) {
    throw invalid('doubleValue', 'a number', held)
  }
  return doubleValue(Number(text))
}

export function listOf(value: unknown, field: string): readonly unknown[] {
  if (isAbsent(value)) return []
  if (!Array.isArray(value)) throw invalid(field, 'an array', value)
  return value
}

function invalid(field: string, expected: string, value: unknown): ProblemError {
  const shown = typeof value === 'bigint' ? String(value) : JSON.stringify(value)
  const detail = `"${field}" must be ${expected}, was ${shown.slice(0, 100)}`
  return new ProblemError('field_invalid', detail, { field })
}
