/** What happened to alerts, the latest first; the oldest goes when there is too much. */
import { Type } from 'typebox'
import type { Shelf } from '../catalog/shelf.ts'
import { limits } from '../limits.ts'
import { type Answer, timestamp } from '../schema/answer.ts'

/** An alert began or ended, or somebody was told of it, or will never be. Ids are in order of time. */
export const historyEntrySchema = Type.Object({
  id: Type.String({ description: 'For `before`.' }),
  at: timestamp,
  kind: Type.Enum(['fired', 'resolved', 'delivered', 'undelivered'], {
    description: 'An alert began or ended; a receiver was told, or never will be.',
  }),
  ruleId: Type.String({ description: 'Empty where it is about a silence.' }),
  ruleName: Type.String({ description: 'What the rule was called then.' }),
  labels: Type.Record(Type.String(), Type.String(), {
    description: 'Of the alert; empty where it is about several.',
  }),
  value: Type.Union([Type.Number(), Type.Null()]),
  receiver: Type.Optional(Type.String({ description: 'The name of who was told.' })),
  attempts: Type.Optional(Type.Integer({ description: 'How many that took.' })),
  error: Type.Optional(Type.String({ description: 'Why a receiver was never told.' })),
})

export type HistoryEntry = Answer<typeof historyEntrySchema>
export type NewEntry = Omit<HistoryEntry, 'id'>

/** Digits of a number of an entry, so that keys are in its order. */
const idDigits = 15

export class History {
  readonly #collection
  /** The latest last. */
  #entries: HistoryEntry[]
  #nextId: number

  constructor(shelf: Shelf) {
    this.#collection = shelf.collection<NewEntry>('alert-history')
    this.#entries = [...this.#collection.getRange()].map(({ key: id, value }) => ({ id, ...value }))
    this.#nextId = Number(this.#entries.at(-1)?.id ?? 0) + 1
  }

  /**
   * Adds entries as part of a change of the catalog. Call the result when that is done.
   */
  put(added: readonly NewEntry[]): () => void {
    const entries = added.map(entry => ({ id: this.#newId(), ...entry }))
    for (const { id, ...entry } of entries) this.#collection.put(id, entry)
    const room = Math.max(limits.alertHistoryMax - entries.length, 0)
    const left = this.#entries.slice(0, Math.max(this.#entries.length - room, 0))
    for (const { id } of left) this.#collection.remove(id)
    return () => {
      const gone = new Set(left)
      this.#entries = [...this.#entries.filter(entry => !gone.has(entry)), ...entries]
    }
  }

  /**
   * @param before Only entries from before the one of this id.
   * @param ruleId Only those of this rule.
   */
  list(limit: number, before?: string, ruleId?: string): HistoryEntry[] {
    return this.#entries
      .toReversed()
      .filter(({ id, ruleId: of }) => {
        return (before === undefined || id < before) && (ruleId === undefined || of === ruleId)
      })
      .slice(0, limit)
  }

  #newId(): string {
    return String(this.#nextId++).padStart(idDigits, '0')
  }
}
