/**
 * What is wrong with the service at present, each thing under its name: the reasons in `/health` and
 * `/ready`, and one gauge each in `/metrics`.
 *
 * To add a reason: a line in `reasonKinds`; whoever knows of it raises and clears it, or is asked
 * (`watch`) whenever somebody looks. A reason goes as soon as what it says is over, by itself.
 */

interface ReasonKind {
  /** Whether no event would be taken: then the service is not ready. */
  readonly stopsEvents: boolean
  readonly help: string
}

export const reasonKinds = {
  stopping: { stopsEvents: true, help: 'the service is stopping' },
  disk_failed: { stopsEvents: true, help: 'a write or sync of events failed for good' },
  disk_full: { stopsEvents: true, help: 'an event of the size that is allowed finds no room' },
  disk_nearly_full: { stopsEvents: false, help: 'some events were refused for lack of room' },
  disk_slow: { stopsEvents: false, help: 'a write of events takes a second or more' },
  overloaded: { stopsEvents: true, help: 'as many events wait for the disk as may' },
  sealing_failing: { stopsEvents: false, help: 'closed journal files cannot be sealed' },
  compaction_failing: { stopsEvents: false, help: 'small segments cannot be merged' },
  retention_failing: { stopsEvents: false, help: 'old segments cannot be deleted' },
  clickhouse_failing: { stopsEvents: false, help: 'ClickHouse does not take records; they wait' },
  journal_full: { stopsEvents: true, help: 'as many events wait for ClickHouse as may' },
  clock_doubted: { stopsEvents: false, help: 'retention by age does not believe the clock' },
  index_damaged: { stopsEvents: false, help: 'the index was damaged, and was built anew' },
  data_damaged: { stopsEvents: false, help: 'a part of what is stored is damaged' },
  catalog_damaged: { stopsEvents: false, help: 'some values of the catalog cannot be used' },
  catalog_copy_failing: { stopsEvents: false, help: 'the daily copy of the catalog is not made' },
  listener_without_token: { stopsEvents: false, help: 'a listener’s token does not exist' },
  alerts_undelivered: { stopsEvents: false, help: 'a receiver of alerts cannot be told of them' },
  primary_unreachable: { stopsEvents: false, help: 'the primary does not give its settings' },
  catalog_failing: { stopsEvents: false, help: 'changes of the catalog cannot be written' },
} as const satisfies Record<string, ReasonKind>

export type ReasonName = keyof typeof reasonKinds

export const reasonNames = Object.keys(reasonKinds) as ReasonName[]

export interface Reason {
  readonly name: ReasonName
  /** For people: what is wrong, and what it means. */
  readonly text: string
}

/** Returns the text of a reason, or undefined when there is none. It must answer soon, and not throw. */
export type Look = () => string | undefined | Promise<string | undefined>

export class Health {
  readonly #raised = new Map<ReasonName, string>()
  readonly #looks = new Map<ReasonName, Look>()
  readonly #directory: string

  /** @param directory Of the data: everybody may read reasons, so its path is left out of them. */
  constructor(directory = '') {
    this.#directory = directory
  }

  /** Something is wrong until it is cleared; raised again it has another text. */
  raise(name: ReasonName, text: string): void {
    this.#raised.set(name, text)
  }

  clear(name: ReasonName): void {
    this.#raised.delete(name)
  }

  /** Asks `look` each time that somebody looks. */
  watch(name: ReasonName, look: Look): void {
    this.#looks.set(name, look)
  }

  /** All that is wrong now, in the order of `reasonKinds`. */
  async reasons(): Promise<Reason[]> {
    const texts = await Promise.all(reasonNames.map(name => this.text(name)))
    return reasonNames.flatMap((name, i) =>
      texts[i] === undefined ? [] : [{ name, text: texts[i] }],
    )
  }

  /** The text of one reason; undefined when there is none now. */
  async text(name: ReasonName): Promise<string | undefined> {
    const text = this.#raised.get(name) ?? (await this.#looks.get(name)?.())
    return this.#directory === '' ? text : text?.replaceAll(`${this.#directory}/`, '')
  }
}

/** Those for which no event would be taken. */
export function stoppingEvents(reasons: readonly Reason[]): Reason[] {
  return reasons.filter(({ name }) => reasonKinds[name].stopsEvents)
}

/** One line for each, which begins with its name. */
export function reasonTexts(reasons: readonly Reason[]): string[] {
  return reasons.map(({ name, text }) => `${name}: ${text}`)
}
