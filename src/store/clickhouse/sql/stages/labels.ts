/** The labels that are asked for behind stages. */

import { changesLabel } from '../../../../language/label-changes.ts'
import { logqlName } from '../../../../language/logql-names.ts'
import type { Stage } from '../../../../language/stage.ts'
import { errorDetailsLabel, errorLabel } from '../../../../query/stages/row.ts'
import { messageLabel } from '../../../../record.ts'
import { columnOf, type LabelTexts } from '../label.ts'
import type { Definitions } from './definitions.ts'
import type { StagedRecord } from './staged-record.ts'

export class StagedLabels {
  readonly #stages: readonly Stage[]
  readonly #record: StagedRecord
  readonly #defined: Definitions
  readonly #asked = new Set<string>()

  constructor(stages: readonly Stage[], record: StagedRecord, defined: Definitions) {
    this.#stages = stages
    this.#record = record
    this.#defined = defined
  }

  readonly texts: LabelTexts = (label, bound) => {
    const column = label === messageLabel ? undefined : columnOf(label)
    if (column === undefined) return this.attributes(label, bound)
    return this.#isChanged(label) ? this.attributes(logqlName(label), bound) : column
  }

  /** Of attributes, whatever their names: as stages have left them. */
  readonly attributes: LabelTexts = label => {
    const text = this.#textOf(label)
    this.#asked.add(text)
    return `assumeNotNull(${text})`
  }

  /** All that were asked for. */
  get areKnown(): string {
    return [...this.#asked].map(text => `isNotNull(${text})`).join(' AND ') || '1'
  }

  /** Any of them. */
  get areUnknown(): string {
    return `(${[...this.#asked].map(text => `isNull(${text})`).join(' OR ') || '0'})`
  }

  /** As `query/stages/staged-run.ts` has it: others are what the record came with. */
  #isChanged(label: string): boolean {
    return this.#stages.some(stage => changesLabel(stage, logqlName(label)))
  }

  #textOf(label: string): string {
    if (label === messageLabel) return this.#record.line
    if (label === errorLabel) return this.#record.error
    // All labels together, as one text, are made of a record that is at hand.
    if (label === errorDetailsLabel || label.startsWith('\0')) this.#defined.giveUp()
    return this.#defined.define(this.#record.shown(label))
  }
}
