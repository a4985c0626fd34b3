/**
 * A record on its way through the stages of a query: its line, and its labels under LogQL's names. Two
 * spellings of a name that LogQL cannot tell apart (`user.id`, `user_id`) are one label to it.
 */

import { logqlName } from '../../language/logql-names.ts'
import { limits } from '../../limits.ts'

/** The labels that a record came with. */
export interface OwnLabels {
  /** Empty for a label that the record does not have. */
  text(name: string): string
}

export const errorLabel = '__error__'
export const errorDetailsLabel = '__error_details__'

/** LogQL's names of what went wrong with a record, and ours of labels that are too long. */
export type RowError =
  | 'JSONParserErr'
  | 'LogfmtParserErr'
  | 'LabelFilterErr'
  | 'TemplateFormatErr'
  | 'LabelsLengthErr'

export class Row {
  readonly timestamp: number
  line: string
  readonly #own: OwnLabels
  /** Labels that stages have made, by LogQL's names; empty for one that is gone. */
  readonly #made = new Map<string, string>()
  /** LogQL's names of those of its own labels that are kept; undefined for all. */
  #kept: ReadonlySet<string> | undefined
  /** Characters of all labels that were made, those that are gone, too. */
  #madeLength = 0

  constructor(timestamp: number, line: string, own: OwnLabels) {
    this.timestamp = timestamp
    this.line = line
    this.#own = own
  }

  /** The value of a label; empty for one that it does not have. */
  label(name: string): string {
    const key = logqlName(name)
    const made = this.#made.get(key)
    if (made !== undefined) return made
    return this.#isKept(key) ? this.#own.text(name) : ''
  }

  set(name: string, value: string): void {
    this.#make(logqlName(name), value)
  }

  /** Sets what a parser has found: under a name of its own where the record has such a label already. */
  extract(name: string, value: string): void {
    this.extractNamed(logqlName(name), value)
  }

  /** The same for what has LogQL's name already. */
  extractNamed(key: string, value: string): void {
    if (key === '') return
    this.#make(this.#own.text(key) === '' ? key : `${key}_extracted`, value)
  }

  /** Whether anything went wrong with it, and no stage has dropped that. */
  get hasFailed(): boolean {
    return (this.#made.get(errorLabel) ?? '') !== ''
  }

  /** Sets an error, unless there is one: the first is the one to know. */
  fail(error: RowError, details: string): void {
    if (this.#made.get(errorLabel)) return
    this.#made.set(errorLabel, error)
    this.#made.set(errorDetailsLabel, details)
  }

  remove(name: string): void {
    this.#made.set(logqlName(name), '')
  }

  /** Removes all labels but those that are named, and what went wrong. */
  keep(names: readonly string[]): void {
    const keys = new Set(names.map(logqlName))
    for (const key of this.#made.keys()) {
      if (!keys.has(key) && key !== errorLabel && key !== errorDetailsLabel) this.#made.delete(key)
    }
    const before = this.#kept
    this.#kept = before === undefined ? keys : new Set([...keys].filter(key => before.has(key)))
  }

  /** What stages have made of labels, by LogQL's names; empty for what they have removed. */
  get made(): ReadonlyMap<string, string> {
    return this.#made
  }

  /** Whether it still has a label that it came with. */
  hasOwn(name: string): boolean {
    const key = logqlName(name)
    return !this.#made.has(key) && this.#isKept(key)
  }

  /** One line can be taken apart into many labels that are as long as it is. */
  #make(key: string, value: string): void {
    this.#madeLength += value.length
    const { queryMadeLabelsLengthMax } = limits
    if (this.#madeLength <= queryMadeLabelsLengthMax) this.#made.set(key, value)
    else this.fail('LabelsLengthErr', `labels of more than ${queryMadeLabelsLengthMax} characters`)
  }

  #isKept(key: string): boolean {
    return this.#kept === undefined || this.#kept.has(key)
  }
}
