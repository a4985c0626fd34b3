/**
 * All records of a template on their way through stages, as one: a row whose line and labels have marks
 * in the places of variables (`shaped-line.ts`). Methods throw NotShared where the records part.
 */

import { logqlName } from '../../language/logql-names.ts'
import { errorDetailsLabel, errorLabel, Row, type RowError } from './row.ts'
import { NotShared, notShared, type SharedLabels } from './shared-labels.ts'

export class ShapedRow extends Row {
  /** Labels that some records have of their own, and a parser has found, too. */
  readonly #uncertain = new Set<string>()

  constructor(line: string, own: SharedLabels) {
    super(Number.NaN, line, own) // What asks for times has no shape.
  }

  override label(name: string): string {
    if (this.#uncertain.has(logqlName(name))) throw notShared
    return super.label(name)
  }

  override get hasFailed(): boolean {
    if (this.#uncertain.has(errorLabel)) throw notShared
    return super.hasFailed
  }

  override set(name: string, value: string): void {
    super.set(name, value)
    this.#uncertain.delete(logqlName(name))
  }

  override extractNamed(key: string, value: string): void {
    if (this.#uncertain.has(key)) return
    try {
      super.extractNamed(key, value)
    } catch (error) {
      if (!(error instanceof NotShared)) throw error
      this.#uncertain.add(key)
      this.#uncertain.add(`${key}_extracted`)
    }
  }

  /** What goes wrong with all records alike, but for its details. */
  failAlike(error: RowError): void {
    if (this.hasFailed) return
    super.fail(error, '')
    this.#uncertain.add(errorDetailsLabel)
  }

  override remove(name: string): void {
    super.remove(name)
    this.#uncertain.delete(logqlName(name))
  }

  override keep(names: readonly string[]): void {
    super.keep(names)
    const keys = new Set([...names.map(logqlName), errorLabel, errorDetailsLabel])
    for (const key of this.#uncertain) if (!keys.has(key)) this.#uncertain.delete(key)
  }

  /** Whether all records have a label as they came with it. */
  isOwn(name: string): boolean {
    return !this.#uncertain.has(logqlName(name)) && this.hasOwn(name)
  }
}
