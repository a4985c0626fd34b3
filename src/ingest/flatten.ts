/**
 * The fields of an event as attributes: names and values in turn, all text.
 *
 * Nested objects become names with dots (`metadata.source`); arrays and empty objects stay as their
 * JSON text. Any key is only data, `__proto__` and the empty key too. Where two fields come to the
 * same name (`{"a.b":1,"a":{"b":2}}`) the later one counts, as for a name that appears twice in JSON.
 *
 * Names that mean something else in a query are kept under `payload.`: `service.name` and
 * `environment`, which come from the ingestion token, `log_level`, and a `message` that was null. What
 * is nested in an object of such a name has a name of its own, and keeps it (`environment.region`).
 */

import { limits } from '../limits.ts'
import { ProblemError } from '../problems.ts'
import { levelLabel, messageLabel, streamLabels } from '../record.ts'
import type { EventObject } from './level.ts'
import { isRawNumber } from './numbers.ts'

/** A field of an event: an object of the event (itself, or one nested in it) and a name in it. */
export interface FieldPlace {
  readonly holder: EventObject
  readonly name: string
}

/**
 * The attributes of `event`, in its order, and after them `added`, names and values in turn. `used`
 * became something else of the record, and is not repeated; a field with the name of one that is added
 * is kept under `payload.`.
 *
 * Refuses with `attributes_too_many` (counted before fields of the same name are made one) or
 * `attribute_too_large`, naming the attribute.
 */
export function flatten(
  event: EventObject,
  used: readonly FieldPlace[],
  added: readonly string[] = [],
): string[] {
  const flattening = new Flattening(used, added)
  flattening.addFields(event)
  return flattening.attributes()
}

class Flattening {
  readonly #list: string[] = []
  readonly #used: readonly FieldPlace[]
  readonly #added: readonly string[]
  /** Two different paths give the same name only if a name itself has a dot, or was changed. */
  #hasNested = false
  #hasDot = false
  #hasRenamed = false

  constructor(used: readonly FieldPlace[], added: readonly string[]) {
    this.#used = used
    this.#added = added
  }

  attributes(): string[] {
    const mayRepeat = this.#hasRenamed || (this.#hasNested && this.#hasDot)
    const own = mayRepeat ? withoutRepeats(this.#list) : this.#list
    return this.#added.length === 0 ? own : own.concat(this.#added)
  }

  addFields(event: EventObject): void {
    for (const name in event) {
      if (this.#isUsed(event, name)) continue
      this.#hasDot = this.#hasDot || name.includes('.')
      this.#add(name, event[name])
    }
  }

  #addNested(prefix: string, object: EventObject): void {
    this.#hasNested = true
    for (const key in object) {
      if (this.#isUsed(object, key)) continue
      this.#hasDot = this.#hasDot || key.includes('.')
      this.#add(`${prefix}.${key}`, object[key])
    }
  }

  #add(path: string, value: unknown): void {
    if (typeof value === 'string') {
      this.#addText(path, value)
    } else if (typeof value !== 'object' || value === null) {
      this.#addText(path, String(value))
    } else if (Array.isArray(value)) {
      this.#addText(path, JSON.stringify(value))
    } else if (isRawNumber(value)) {
      this.#addText(path, value.rawJSON)
    } else if (isEmpty(value)) {
      this.#addText(path, '{}')
    } else {
      this.#addNested(path, value as EventObject)
    }
  }

  #addText(path: string, value: string): void {
    const name = this.#isAdded(path) ? `payload.${path}` : attributeName(path)
    this.#hasRenamed = this.#hasRenamed || name !== path
    this.#push(name, value)
  }

  #push(name: string, value: string): void {
    if (this.#list.length >= 2 * limits.eventAttributesMax) {
      const detail = `expected at most ${limits.eventAttributesMax} attributes, ${quote(name)} is one more`
      throw new ProblemError('attributes_too_many', detail, { field: shorten(name) })
    }
    if (isLonger(name, limits.attributeNameBytesMax)) {
      const detail = `expected a name of at most ${limits.attributeNameBytesMax} bytes, ${quote(name)} is longer`
      throw new ProblemError('attribute_too_large', detail, { field: shorten(name) })
    }
    if (isLonger(value, limits.attributeValueBytesMax)) {
      const detail = `expected a value of at most ${limits.attributeValueBytesMax} bytes, that of ${quote(name)} is longer`
      throw new ProblemError('attribute_too_large', detail, { field: shorten(name) })
    }
    this.#list.push(name, value)
  }

  #isAdded(path: string): boolean {
    const at = this.#added.indexOf(path)
    return at >= 0 && at % 2 === 0
  }

  #isUsed(holder: EventObject, name: string): boolean {
    for (const used of this.#used) {
      if (used.name === name && used.holder === holder) return true
    }
    return false
  }
}

/** What the attribute of the value at `path`, names joined with dots, is called. */
export function attributeName(path: string): string {
  const isReserved =
    path === streamLabels.service ||
    path === streamLabels.environment ||
    path === levelLabel ||
    path === messageLabel
  return isReserved ? `payload.${path}` : path
}

function isEmpty(object: object): boolean {
  for (const _key in object) {
    return false
  }
  return true
}

/** Whether `text` takes more than `bytesMax` in UTF-8, mostly without counting. */
function isLonger(text: string, bytesMax: number): boolean {
  return text.length * 3 > bytesMax && Buffer.byteLength(text) > bytesMax
}

/** Keeps the last value of every name, at the place of its first. */
function withoutRepeats(list: readonly string[]): string[] {
  const values = new Map<string, string>()
  for (let index = 0; index < list.length; index += 2) {
    values.set(list[index]!, list[index + 1]!)
  }
  return [...values].flat()
}

function shorten(name: string): string {
  return name.length > 200 ? `${name.slice(0, 200)}…` : name
}

function quote(name: string): string {
  return JSON.stringify(shorten(name))
}
