/**
 * How each rule stands: its alerts, and up to when it was looked at. What changed is on disk before
 * anybody is told, so that it is the same after `kill -9`; the moments of evaluations that changed
 * nothing are saved every half minute, and what was evaluated since is evaluated again.
 */
import type { Shelf } from '../catalog/shelf.ts'
import type { Timestamp } from '../record.ts'
import type { Alert } from './evaluate.ts'

/** A value of the collection `alert-states`, under the rule's id. */
interface StoredState {
  readonly alerts: readonly Alert[]
  /** The last moment for which the rule was evaluated; absent: none yet. */
  readonly evaluatedFor?: Timestamp
}

export interface RuleState extends StoredState {
  /** When that was, how long it took, and why it failed if it did. Only of this process. */
  readonly evaluatedAt?: Timestamp
  readonly tookMs?: number
  readonly error?: string
}

const nothing: RuleState = { alerts: [] }

/** The one value of the collection `alert-progress`: the last moment of each rule. */
const progressKey = 'all'

export class States {
  readonly #states
  readonly #progress
  readonly #shelf: Shelf
  readonly #byId = new Map<string, RuleState>()
  #isSaved = true

  constructor(shelf: Shelf) {
    this.#shelf = shelf
    this.#states = shelf.collection<StoredState>('alert-states')
    this.#progress = shelf.collection<Readonly<Record<string, Timestamp>>>('alert-progress')
    const progress = this.#savedProgress()
    for (const { key, value } of this.#states.getRange()) this.#byId.set(key, value)
    for (const [id, moment] of progress) {
      const state = this.get(id)
      const evaluatedFor = Math.max(moment, state.evaluatedFor ?? moment)
      this.#byId.set(id, { ...state, evaluatedFor })
    }
  }

  get(id: string): RuleState {
    return this.#byId.get(id) ?? nothing
  }

  /** Part of a change of the catalog; undefined removes it. */
  put(id: string, state: RuleState | undefined): void {
    if (state === undefined) this.#states.remove(id)
    else {
      const { alerts, evaluatedFor } = state
      this.#states.put(id, { alerts, ...(evaluatedFor !== undefined && { evaluatedFor }) })
    }
  }

  /** What is known from now on: after the change, or where nothing but the moment is new. */
  note(id: string, state: RuleState | undefined): void {
    if (state === undefined) this.#byId.delete(id)
    else this.#byId.set(id, state)
    this.#isSaved = false
  }

  /** Saves the moments of all rules, if any is new. Throws `catalog_failed`. */
  async saveProgress(): Promise<void> {
    if (this.#isSaved) return
    const moments = [...this.#byId].flatMap(([id, { evaluatedFor }]) =>
      evaluatedFor === undefined ? [] : [[id, evaluatedFor] as const],
    )
    this.#isSaved = true
    try {
      await this.#shelf.write(() => this.#progress.put(progressKey, Object.fromEntries(moments)))
    } catch (error) {
      this.#isSaved = false
      throw error
    }
  }

  /** None of a value that is damaged: its rules are evaluated as if they had never been. */
  #savedProgress(): [string, Timestamp][] {
    const [found] = [...this.#progress.getRange()]
    return Object.entries(found?.value ?? {})
  }
}

/** Whether the same alerts are in the same states, whatever their values. */
export function isSameStand(one: readonly Alert[], other: readonly Alert[]): boolean {
  if (one.length !== other.length) return false
  return one.every((alert, i) => {
    const { key, state, isTold } = other[i]!
    return alert.key === key && alert.state === state && alert.isTold === isTold
  })
}
