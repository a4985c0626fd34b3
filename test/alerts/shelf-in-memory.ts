/** What the catalog keeps for alerts, kept in memory: a restart is another door to the same values. */
import type { Shelf, ShelfCollection } from '../../src/catalog/shelf.ts'

export interface MemoryShelf extends Shelf {
  /** Changes so far. */
  readonly writeCount: number
  /** While it is true, changes are refused. */
  isFailing: boolean
}

export function memoryShelf(): MemoryShelf {
  const collections = new Map<string, Map<string, unknown>>()
  const shelf = {
    writeCount: 0,
    isFailing: false,
    collection<V>(name: string): ShelfCollection<V> {
      const values = collections.get(name) ?? new Map<string, unknown>()
      collections.set(name, values)
      return {
        get: key => values.get(key) as V | undefined,
        *getRange() {
          for (const key of [...values.keys()].sort()) yield { key, value: values.get(key) as V }
        },
        put: (key, value) => values.set(key, structuredClone(value)),
        remove: key => values.delete(key),
      }
    },
    async write(change: () => void) {
      if (shelf.isFailing) throw new Error('the disk is full')
      shelf.writeCount++
      change()
    },
    encrypt: (ownerId: string, secret: string) => Buffer.from(`${ownerId}/${secret}`),
    decrypt: (ownerId: string, encrypted: Uint8Array) =>
      Buffer.from(encrypted)
        .toString()
        .slice(ownerId.length + 1),
  }
  return shelf
}
