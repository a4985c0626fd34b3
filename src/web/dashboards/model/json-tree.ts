/**
 * A dashboard as the JSON that it is. What we know is read from it and written into it by path;
 * all else stays as it came, to the last digit of numbers that no double holds.
 */

import { isRawNumber, parseWithRawNumbers, type RawNumber } from '../../../ingest/numbers.ts'

export type Json = null | boolean | number | string | RawNumber | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}
/** Keys and indexes from the root down. */
export type Path = readonly (string | number)[]

/** A path as one text: the same for the same path. */
export function pathKey(path: Path): string {
  return path.join('/')
}

/** Browsers before 2025 may lack it; there such numbers are rounded. */
const hasRawNumbers = 'rawJSON' in JSON

/** Throws a SyntaxError when `text` is no JSON. */
export function readTree(text: string): Json {
  return (hasRawNumbers ? parseWithRawNumbers(text) : JSON.parse(text)) as Json
}

export function printTree(tree: Json, indent?: number): string {
  return JSON.stringify(tree, undefined, indent)
}

export function isObject(value: Json | undefined): value is JsonObject {
  const isNesting = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isNesting && !(hasRawNumbers && isRawNumber(value))
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** What is at `path`; undefined when nothing is. */
export function valueAt(tree: Json | undefined, path: Path): Json | undefined {
  let value = tree
  for (const step of path) {
    if (isList(value)) value = typeof step === 'number' ? value[step] : undefined
    else if (isObject(value) && Object.hasOwn(value, step)) value = value[step]
    else return undefined
  }
  return value
}

export function textAt(tree: Json | undefined, path: Path): string | undefined {
  const value = valueAt(tree, path)
  return typeof value === 'string' ? value : undefined
}

/** A finite number, also one that was written as text. */
export function numberAt(tree: Json | undefined, path: Path): number | undefined {
  const value = valueAt(tree, path)
  const isText = typeof value === 'string' && value.trim() !== ''
  const number =
    typeof value === 'number' ? value : isText ? Number(value) : rawNumberOf(value ?? null)
  return number !== undefined && Number.isFinite(number) ? number : undefined
}

function rawNumberOf(value: Json): number | undefined {
  return hasRawNumbers && isRawNumber(value) ? Number(value.rawJSON) : undefined
}

export function flagAt(tree: Json | undefined, path: Path): boolean | undefined {
  const value = valueAt(tree, path)
  return typeof value === 'boolean' ? value : undefined
}

/** The elements of a list; none when there is no list. */
export function listAt(tree: Json | undefined, path: Path): readonly Json[] {
  const value = valueAt(tree, path)
  return isList(value) ? value : []
}

/**
 * `tree` with `value` at `path`; undefined removes what is there. What lies beside the path is the same
 * objects as before. Objects and lists on the way that are missing are made.
 */
export function withValue(tree: Json | undefined, path: Path, value: Json | undefined): Json {
  if (value === undefined && tree !== undefined && valueAt(tree, path) === undefined) return tree
  const [step, ...rest] = path
  if (step === undefined) return value ?? null
  const inner = rest.length === 0 ? value : withValue(valueAt(tree, [step]), rest, value)
  if (typeof step === 'number') {
    const list = isList(tree) ? tree : []
    return inner === undefined
      ? list.filter((_, at) => at !== step)
      : withElement(list, step, inner)
  }
  const object = isObject(tree) ? tree : {}
  if (inner !== undefined) return { ...object, [step]: inner }
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== step))
}

function withElement(list: readonly Json[], at: number, value: Json): readonly Json[] {
  return at < list.length ? list.with(at, value) : [...list, value]
}
