/**
 * The fields that events have had, as a tree like the events': where a name is looked up by its bytes,
 * and what is known of a field once and for all is kept.
 *
 * Senders send the same fields in the same order again and again. Each field remembers which one came
 * after it, so that mostly a name is not looked up at all, only compared.
 */

import { isUtf8 } from 'node:buffer'
import { attributeName } from '../flatten.ts'
import { inferences } from '../level.ts'

/** A field that is more than an attribute. */
export type Role = 'message' | 'msg' | 'level' | 'severity' | 'timestamp' | undefined

/** What fields become: two fields may come to the same name, and then to the same attribute. */
export class Attribute {
  readonly name: string
  /** The event that had it last, and so has it twice when it comes again. */
  event = 0
  /** The number of its column in the batch of that number. */
  column = 0
  batch = 0

  constructor(name: string) {
    this.name = name
  }
}

export class Field {
  /** The bytes between the quotes. */
  readonly key: Uint8Array
  /** The names on the way to it, joined with dots. */
  readonly path: string
  readonly role: Role
  /** Its place among `inferences`; their number when its presence tells no level. */
  readonly inference: number
  readonly attribute: Attribute
  readonly isTop: boolean
  /** The event that had it last. */
  event = 0
  /** The fields of the object that is its value. */
  first: Field | undefined
  readonly children = new Map<string, Field>()
  /** The field that came after it last time. */
  next: Field | undefined

  constructor(
    key: Uint8Array,
    known: Pick<Field, 'path' | 'role' | 'inference' | 'attribute' | 'isTop'>,
  ) {
    this.key = key
    this.path = known.path
    this.role = known.role
    this.inference = known.inference
    this.attribute = known.attribute
    this.isTop = known.isTop
  }
}

/** Names of more bytes are left to the plain way: so no attribute's name is too long here. */
export const keyBytesMax = 256
/** Beyond so many fields the tree forgets all: these are names that hold data. */
const fieldsMax = 4_096

/** One tree serves events whose time is in the same field. */
export class FieldTree {
  readonly #timestampField: string | undefined
  #root: Field
  #fieldCount = 0
  #attributes = new Map<string, Attribute>()

  constructor(timestampField: string | undefined) {
    this.#timestampField = timestampField
    this.#root = newRoot()
  }

  /** Not a field: its fields are the event's. */
  get root(): Field {
    return this.#root
  }

  /**
   * The field of `parent` that has the name between `start` and `end` of `body`, known or new;
   * undefined when the plain way must look at it.
   */
  find(parent: Field, body: Buffer, start: number, end: number): Field | undefined {
    const key = body.subarray(start, end)
    if (!isUtf8(key)) return undefined // Its text could be that of another name.
    const name = key.toString()
    const known = parent.children.get(name)
    if (known !== undefined) return known
    // JavaScript sorts names that are numbers before all others.
    const isIndex = name >= '0' && name < ':'
    if (isIndex) return undefined
    if (this.#fieldCount === fieldsMax) {
      this.#forget()
      return undefined
    }
    this.#fieldCount += 1
    const field = this.#newField(parent, Uint8Array.from(key), name)
    parent.children.set(name, field)
    return field
  }

  #newField(parent: Field, key: Uint8Array, name: string): Field {
    const isTop = parent === this.#root
    const path = isTop ? name : `${parent.path}.${name}`
    const attributePath = isTop ? name : `${parent.attribute.name}.${name}`
    const attribute = this.#attribute(attributeName(attributePath))
    const inference = inferences.findIndex(([field]) => isTop && field === name)
    return new Field(key, {
      path,
      role: this.#roleOf(path, isTop),
      inference: inference === -1 ? inferences.length : inference,
      attribute,
      isTop,
    })
  }

  #roleOf(path: string, isTop: boolean): Role {
    if (path === this.#timestampField) return 'timestamp'
    if (!isTop) return undefined
    switch (path) {
      case 'message':
      case 'msg':
      case 'level':
      case 'severity':
        return path
      default:
        return undefined
    }
  }

  #attribute(name: string): Attribute {
    const known = this.#attributes.get(name)
    if (known !== undefined) return known
    const attribute = new Attribute(name)
    this.#attributes.set(name, attribute)
    return attribute
  }

  #forget(): void {
    this.#root = newRoot()
    this.#fieldCount = 0
    this.#attributes = new Map()
  }
}

function newRoot(): Field {
  const attribute = new Attribute('')
  const inference = inferences.length
  return new Field(new Uint8Array(), {
    path: '',
    role: undefined,
    inference,
    attribute,
    isTop: false,
  })
}
