/** The receivers that people made: encrypted as a whole in the catalog, all of them in memory. */
import { randomUUID } from 'node:crypto'
import { receiversName, type Shelf } from '../../catalog/shelf.ts'
import { limits } from '../../limits.ts'
import { ProblemError } from '../../problems.ts'
import type { Timestamp } from '../../record.ts'
import {
  type Receiver,
  type ReceiverConfig,
  type ReceiverKind,
  receiverUnknown,
} from './receiver.ts'

/** A value of the collection `alert-receivers`, under its id. */
interface StoredReceiver {
  readonly name: string
  readonly kind: ReceiverKind
  readonly createdAt: Timestamp
  /** The ReceiverConfig as JSON. */
  readonly encrypted: Uint8Array
}

export class Receivers {
  readonly #collection
  readonly #shelf: Shelf
  readonly #now: () => number
  readonly #byId = new Map<string, Receiver>()

  constructor(shelf: Shelf, now: () => number) {
    this.#shelf = shelf
    this.#now = now
    this.#collection = shelf.collection<StoredReceiver>(receiversName)
    for (const { key: id, value } of this.#collection.getRange()) {
      const { name, kind, createdAt, encrypted } = value
      const text = shelf.decrypt(id, encrypted)
      const config = text === undefined ? undefined : (JSON.parse(text) as ReceiverConfig)
      this.#byId.set(id, { id, name, kind, createdAt, config })
    }
  }

  /** All of them, by name. */
  list(): Receiver[] {
    return [...this.#byId.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  find(id: string): Receiver | undefined {
    return this.#byId.get(id)
  }

  /** Throws ProblemError `alert_receiver_unknown`. */
  get(id: string): Receiver {
    const receiver = this.#byId.get(id)
    if (receiver === undefined) throw receiverUnknown()
    return receiver
  }

  /** Under an id, or a new one. Throws ProblemError `alert_receivers_too_many`. */
  prepare(id: string | undefined, name: string, config: ReceiverConfig): Receiver {
    const known = id === undefined ? undefined : this.#byId.get(id)
    if (known === undefined && this.#byId.size >= limits.alertReceiversMax) {
      const detail = `there are ${limits.alertReceiversMax} receivers; delete one first`
      throw new ProblemError('alert_receivers_too_many', detail)
    }
    const createdAt = known?.createdAt ?? this.#now()
    return { id: id ?? randomUUID(), name, kind: config.kind, createdAt, config }
  }

  /** Part of a change of the catalog, as `remove`. */
  put({ id, name, kind, createdAt, config }: Receiver): void {
    const encrypted = this.#shelf.encrypt(id, JSON.stringify(config))
    this.#collection.put(id, { name, kind, createdAt, encrypted })
  }

  remove(id: string): void {
    this.#collection.remove(id)
  }

  /** After the change. */
  note(id: string, receiver: Receiver | undefined): void {
    if (receiver === undefined) this.#byId.delete(id)
    else this.#byId.set(id, receiver)
  }
}
