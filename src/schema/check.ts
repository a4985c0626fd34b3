/**
 * Checks a JSON body against a TypeBox schema and names the field at fault as its sender would
 * write it: `dashboard.content.variables[0].name`.
 *
 * The same schemas go into the OpenAPI page. A schema's `description` is written so that "must be"
 * can precede it, and it is what a refusal says; without one TypeBox's own words are used.
 * Fields that a schema does not name are ignored, unless it forbids them. Null in an optional field is
 * left out (`nulls.ts`).
 */

import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/schema'
import { getOrInsertComputed } from '../get-or-insert.ts'
import { ProblemError } from '../problems.ts'
import { withoutNulls } from './nulls.ts'

/** One compiled check per schema: compiling takes about 2 ms, checking about a microsecond. */
const validators = new WeakMap<TSchema, Validator>()

/**
 * Returns what was sent as the type that `schema` describes, or throws `field_invalid` for the first
 * field at fault. `prefix` is where `sent` is in the request's body; absent for the body itself.
 */
export function checkBody<T extends TSchema>(schema: T, sent: unknown, prefix = ''): Static<T> {
  // For `T` the type check would take twice as long.
  const validator = getOrInsertComputed(validators, schema, () => Compile<TSchema>(schema))
  if (validator.Check(sent)) {
    return sent as Static<T>
  }
  const value = withoutNulls(schema, sent) // Only now: hardly anybody sends any.
  if (value !== sent && validator.Check(value)) {
    return value as Static<T>
  }

  const [, [failure]] = validator.Errors(value)
  if (failure === undefined) {
    throw new Error('BUG: a schema refused a value without saying why')
  }
  const path = pointerSteps(failure.instancePath)
  if (failure.keyword === 'required') {
    path.push(failure.params.requiredProperties[0] ?? '')
    const field = fieldPath(prefix, value, path)
    throw new ProblemError('field_invalid', `"${field}" is missing`, { field })
  }
  const field = fieldPath(prefix, value, path)
  if (failure.keyword === 'boolean') {
    const detail = describeNames(schema, failure, fieldPath(prefix, value, path.slice(0, -1)))
    const name = describeValue(path.at(-1))
    throw new ProblemError('field_invalid', `${detail}, had the name ${name}`, { field })
  }
  const found = describeValue(valueAt(value, path))
  const rule = describeRule(schema, failure)
  throw new ProblemError('field_invalid', `"${field}" ${rule}, was ${found}`, { field })
}

type Failure = ReturnType<Validator['Errors']>[1][number]

/** What the failed schema asks for, such as `must be of type string`. */
function describeRule(schema: TSchema, failure: Failure): string {
  if (failure.keyword === 'type') {
    return `must be of type ${[failure.params.type].flat().join(' or ')}`
  }
  const failed = valueAt(schema, pointerSteps(failure.schemaPath.slice('#'.length)))
  if (isObject(failed) && typeof failed.description === 'string') {
    return `must be ${failed.description}`
  }
  if (failure.keyword === 'enum') {
    return `must be one of ${failure.params.allowedValues.map(describeValue).join(', ')}`
  }
  return failure.message
}

/** What is asked of the object in which a field has a name that its schema forbids. */
function describeNames(schema: TSchema, failure: Failure, object: string): string {
  const steps = pointerSteps(failure.schemaPath.slice('#'.length))
  const failed = valueAt(schema, steps.slice(0, -1))
  const isDescribed = isObject(failed) && typeof failed.description === 'string'
  return `"${object}" must ${isDescribed ? `be ${failed.description}` : 'have only fields that are known'}`
}

const textShownMax = 64

/** The value in few characters: enough for its sender to recognise it. */
function describeValue(value: unknown): string {
  if (typeof value === 'string') {
    const isLong = value.length > textShownMax
    return JSON.stringify(isLong ? `${value.slice(0, textShownMax)}…` : value)
  }
  if (Array.isArray(value)) {
    return 'an array'
  }
  if (isRawJson(value)) {
    return value.rawJSON
  }
  return isObject(value) ? 'an object' : String(value)
}

/**
 * Whether a value is a number with more digits than a double holds, kept as `JSON.rawJSON` keeps
 * it. (In Node 22, not yet in TypeScript's types.)
 */
export function isRawJson(value: unknown): value is { readonly rawJSON: string } {
  return (JSON as unknown as { isRawJSON(value: unknown): boolean }).isRawJSON(value)
}

/** The steps of a JSON pointer (RFC 6901), unescaped. */
function pointerSteps(pointer: string): string[] {
  const steps = pointer.split('/').slice(1)
  return steps.map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let current = value
  for (const step of path) {
    current = isObject(current) ? current[step] : undefined
  }
  return current
}

/** The path as a sender would write it. The body itself, which has no name, is `body`. */
function fieldPath(prefix: string, value: unknown, path: readonly string[]): string {
  let written = prefix
  let parent = value
  for (const step of path) {
    if (Array.isArray(parent)) {
      written += `[${step}]`
    } else if (/^[\w-]+$/.test(step)) {
      written += written === '' ? step : `.${step}`
    } else {
      written += `[${JSON.stringify(step)}]`
    }
    parent = isObject(parent) ? parent[step] : undefined
  }
  return written === '' ? 'body' : written
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
