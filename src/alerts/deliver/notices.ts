/** What receivers are still to be told: kept in the catalog until each has it, or it is given up. */
import { randomUUID } from 'node:crypto'
import type { Shelf } from '../../catalog/shelf.ts'
import { limits } from '../../limits.ts'
import type { Notice, NoticeContent } from './notice.ts'

/** A notice that is to be, and for whom. */
export interface NewNotice {
  readonly content: NoticeContent
  /** Ids. */
  readonly receivers: readonly string[]
}

const idDigits = 15

export class Notices {
  readonly #collection
  readonly #now: () => number
  /** In order of time. */
  readonly #byId = new Map<string, Notice>()
  #nextId: number

  constructor(shelf: Shelf, now: () => number) {
    this.#now = now
    this.#collection = shelf.collection<Omit<Notice, 'id'>>('alert-notices')
    for (const { key: id, value } of this.#collection.getRange()) {
      this.#byId.set(id, { id, ...value })
    }
    this.#nextId = Number([...this.#byId.keys()].at(-1) ?? 0) + 1
  }

  /** The oldest first. */
  list(): Iterable<Notice> {
    return this.#byId.values()
  }

  get(id: string): Notice | undefined {
    return this.#byId.get(id)
  }

  /** The oldest of them, which there is no room for beside as many new ones. */
  withoutRoom(newCount: number): Notice[] {
    const count = this.#byId.size + newCount - limits.alertNoticesMax
    return count <= 0 ? [] : [...this.#byId.values()].slice(0, count)
  }

  /** Of those for nobody there is none. */
  prepare(added: readonly NewNotice[]): Notice[] {
    return added
      .filter(({ receivers }) => receivers.length > 0)
      .map(({ content, receivers }) => ({
        id: String(this.#nextId++).padStart(idDigits, '0'),
        key: `msg_${randomUUID().replaceAll('-', '')}`,
        createdAt: this.#now(),
        content,
        waiting: receivers,
      }))
  }

  /** The same, without a receiver that is not to be told any more; undefined when that was the last. */
  without(notice: Notice, receiverId: string): Notice | undefined {
    const waiting = notice.waiting.filter(id => id !== receiverId)
    return waiting.length === 0 ? undefined : { ...notice, waiting }
  }

  /** Part of a change of the catalog; undefined removes it. */
  put(id: string, notice: Notice | undefined): void {
    if (notice === undefined) this.#collection.remove(id)
    else {
      const { id: _, ...stored } = notice
      this.#collection.put(id, stored)
    }
  }

  /** After the change. */
  note(id: string, notice: Notice | undefined): void {
    if (notice === undefined) this.#byId.delete(id)
    else this.#byId.set(id, notice)
  }
}
