/** When the last backup of the running service was begun, in a collection of its own. */
import type { Timestamp } from '../record.ts'
import type { Shelf, ShelfCollection } from './shelf.ts'

const collectionName = 'backups'
const key = 'last'

export class LastBackup {
  readonly #shelf: Shelf
  readonly #collection: ShelfCollection<Timestamp>
  #at: Timestamp | undefined

  constructor(shelf: Shelf) {
    this.#shelf = shelf
    this.#collection = shelf.collection(collectionName)
    this.#at = this.#collection.get(key)
  }

  /** Undefined when none was, as far as this catalog knows: one that was put back may be older. */
  get at(): Timestamp | undefined {
    return this.#at
  }

  /** Resolves when it is on disk. What cannot be kept is known until the service ends. */
  async note(at: Timestamp): Promise<void> {
    this.#at = at
    try {
      await this.#shelf.write(() => this.#collection.put(key, at))
    } catch {
      // On a full disk, say. The catalog tells of that itself, and the backup is worth more.
    }
  }
}
