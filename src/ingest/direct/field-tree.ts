/**
 * The fields that events have had, as a tree like the events': where a name is looked up by its bytes,
 * and what is known of a field once and for all is kept.
 *
 * Senders send the same fields in the same order again and again. Each field remembers which one came
 * after it, so that mostly a name is not looked up at all, only compared.
 */

import { isUtf8 } from 'node:buffer'
import { nanosecondsAttribute } from '../../record.ts'
import { attributeName } from '../flatten.ts'
import { inferences, levelRank, noLevelRank } from '../level.ts'
import { messageKeys } from '../message.ts'

/** What a field may be beside an attribute; the lower a rank, the earlier the field is asked. */
export interface Roles {
  readonly isTimestamp: boolean
  /** `noLevelRank` when it is not for levels. */
  readonly levelRank: number
  /** Its place among `messageKeys`; their number when it is not one of them. */
  readonly messageRank: number
  /** Its place among `inferences`; their number when its value implies no level. */
  readonly inference: number
}

const noRoles: Roles = {
  isTimestamp: false,
  levelRank: noLevelRank,
  messageRank: messageKeys.length,
  inference: inferences.length,
}

/** The roles that the field at `path` has by its name; `isTop`: whether it is the event's own. */
export function rolesOf(path: string, isTop: boolean): Roles {
  return {
    ...noRoles,
    levelRank: levelRank(path),
    ...(isTop && {
      messageRank: placeIn(messageKeys, ({ name }) => name === path),
      inference: placeIn(inferences, ([field]) => field === path),
    }),
  }
}

/** Whether a field has a role that asks for its value. */
export function hasRole({ isTimestamp, levelRank, messageRank }: Roles): boolean {
  return isTimestamp || levelRank < noLevelRank || messageRank < messageKeys.length
}

function placeIn<T>(list: readonly T[], isIt: (element: T) => boolean): number {
  const index = list.findIndex(isIt)
  return index === -1 ? list.length : index
}

/** What fields become: two fields may end up with the same name, and then to the same attribute. */
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
  readonly isTimestamp: boolean
  readonly levelRank: number
  readonly messageRank: number
  readonly inference: number
  /** Whether it is more than an attribute, whatever its value. */
  readonly hasRole: boolean
  readonly attribute: Attribute
  /** The event that had it last. */
  event = 0
  /** The fields of the object that is its value. */
  first: Field | undefined
  readonly children = new Map<string, Field>()
  /** The field that came after it last time. */
  next: Field | undefined

  constructor(key: Uint8Array, path: string, roles: Roles, attribute: Attribute) {
    this.key = key
    this.path = path
    this.isTimestamp = roles.isTimestamp
    this.levelRank = roles.levelRank
    this.messageRank = roles.messageRank
    this.inference = roles.inference
    this.hasRole = hasRole(roles)
    this.attribute = attribute
  }
}

/** Names of more bytes are left to the plain way: so no attribute's name is too long here. */
export const keyBytesMax = 256
/** Beyond this many fields, or characters of their paths, the tree forgets all: these names hold data. */
const fieldsMax = 4_096
const pathCharactersMax = 512 * 1024

/** One tree serves events whose time is in the same field. */
export class FieldTree {
  readonly #timestampField: string | undefined
  #root: Field
  #around = newRoot()
  #fieldCount = 0
  #pathCharacters = 0
  #attributes = new Map<string, Attribute>()
  #nanoseconds: Attribute

  constructor(timestampField: string | undefined) {
    this.#nanoseconds = this.#attribute(nanosecondsAttribute)
    this.#timestampField = timestampField
    this.#root = newRoot()
  }

  /** The attribute of times finer than a record's; no field's, unless a sender has one of this name. */
  get nanoseconds(): Attribute {
    return this.#nanoseconds
  }

  /** Not a field: its fields are the event's. */
  get root(): Field {
    return this.#root
  }

  /** Not a field: its first is the one that came first around an event. */
  get around(): Field {
    return this.#around
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
    if (this.#fieldCount === fieldsMax || this.#pathCharacters > pathCharactersMax) {
      this.#forget()
      return undefined
    }
    this.#fieldCount += 1
    const field = this.#newField(parent, Uint8Array.from(key), name)
    this.#pathCharacters += field.path.length
    parent.children.set(name, field)
    return field
  }

  #newField(parent: Field, key: Uint8Array, name: string): Field {
    const isTop = parent === this.#root
    const path = isTop ? name : `${parent.path}.${name}`
    const isTimestamp = path === this.#timestampField
    const roles = isTimestamp ? timestampRoles(path, isTop) : rolesOf(path, isTop)
    return new Field(key, path, roles, this.#attribute(attributeName(path)))
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
    this.#around = newRoot()
    this.#fieldCount = 0
    this.#pathCharacters = 0
    this.#attributes = new Map()
    this.#nanoseconds = this.#attribute(nanosecondsAttribute)
  }
}

/** A time may still be what infers a level; it is no level or message, see `readers.ts`. */
function timestampRoles(path: string, isTop: boolean): Roles {
  return { ...noRoles, inference: rolesOf(path, isTop).inference, isTimestamp: true }
}

function newRoot(): Field {
  return new Field(new Uint8Array(), '', noRoles, new Attribute(''))
}
