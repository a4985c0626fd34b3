/** Things of one kind that people made, each under an id: kept in the catalog, all of them in memory. */
import { randomUUID } from 'node:crypto'
import type { ShelfCollection } from '../catalog/shelf.ts'
import { type ProblemCode, ProblemError } from '../problems.ts'
import type { Timestamp } from '../record.ts'

interface MadeThing {
  readonly id: string
  readonly name: string
  readonly createdAt: Timestamp
}

interface Kind<Thing, Stored> {
  /** Of one of them, in messages. */
  readonly name: string
  readonly collection: ShelfCollection<Stored>
  readonly thingOf: (id: string, stored: Stored) => Thing
  readonly storedOf: (thing: Thing) => Stored
  readonly countMax: number
  readonly unknown: ProblemCode
  readonly tooMany: ProblemCode
}

export class Made<Thing extends MadeThing, Stored> {
  readonly #kind: Kind<Thing, Stored>
  readonly #byId = new Map<string, Thing>()

  constructor(kind: Kind<Thing, Stored>) {
    this.#kind = kind
    for (const { key, value } of kind.collection.getRange()) {
      this.#byId.set(key, kind.thingOf(key, value))
    }
  }

  /** All of them, by name. */
  list(): Thing[] {
    return [...this.#byId.values()].sort(byName)
  }

  find(id: string): Thing | undefined {
    return this.#byId.get(id)
  }

  /** Throws ProblemError `unknown` of the kind. */
  get(id: string): Thing {
    const thing = this.#byId.get(id)
    if (thing !== undefined) return thing
    throw new ProblemError(this.#kind.unknown, `no ${this.#kind.name} has this id`)
  }

  /** Of one under an id, or under a new one. Throws ProblemError `tooMany` of the kind. */
  prepareAt(id: string | undefined, now: Timestamp): Pick<MadeThing, 'id' | 'createdAt'> {
    const { name, countMax, tooMany } = this.#kind
    const known = id === undefined ? undefined : this.#byId.get(id)
    if (known === undefined && this.#byId.size >= countMax) {
      throw new ProblemError(tooMany, `there are ${countMax} ${name}s; delete one first`)
    }
    return { id: id ?? randomUUID(), createdAt: known?.createdAt ?? now }
  }

  /** Part of a change of the catalog, as `remove`. */
  put(thing: Thing): void {
    this.#kind.collection.put(thing.id, this.#kind.storedOf(thing))
  }

  remove(id: string): void {
    this.#kind.collection.remove(id)
  }

  /** After the change: what is in memory is what is on disk. */
  note(id: string, thing: Thing | undefined): void {
    if (thing === undefined) this.#byId.delete(id)
    else this.#byId.set(id, thing)
  }
}

function byName(a: MadeThing, b: MadeThing): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1
  return a.id < b.id ? -1 : 1
}
