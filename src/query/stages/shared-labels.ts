/** The labels that records of a block or batch came with, as far as all of them have the same. */

import type { RecordColumns } from '../../columns/record-columns.ts'
import { ownName } from '../../language/logql-names.ts'
import { levelLabel, streamLabels } from '../../record.ts'
import type { OwnLabels } from './row.ts'
import type { RowLabels } from './row-labels.ts'
import { isVariable } from './shaped-line.ts'

/** Records of one template are not all alike in what was asked of them. */
export class NotShared extends Error {}

/** One for all: thousands are thrown, and nobody looks at where. */
export const notShared = new NotShared('records differ in what was asked of all of them')

export class SharedLabels implements OwnLabels {
  readonly #columns: RecordColumns
  readonly #labels: RowLabels
  readonly #texts = new Map<string, string | undefined>()

  constructor(columns: RecordColumns, labels: RowLabels) {
    this.#columns = columns
    this.#labels = labels
  }

  /** Throws NotShared for a label of which records may have different values. */
  text(name: string): string {
    const text = this.find(name)
    if (text === undefined) throw notShared
    return text
  }

  /** Undefined for a label of which records may have different values. */
  find(name: string): string | undefined {
    if (!this.#texts.has(name)) {
      const text = this.#textOf(ownName(name))
      const isPlain = text !== undefined && !isVariable(text)
      this.#texts.set(name, isPlain ? text : undefined)
    }
    return this.#texts.get(name)
  }

  #textOf(name: string): string | undefined {
    const { streams, levels } = this.#columns
    const [stream] = streams
    if (name === streamLabels.service) return streams.length === 1 ? stream!.service : undefined
    if (name === streamLabels.environment) {
      return streams.length === 1 ? stream!.environment : undefined
    }
    if (name === levelLabel) return levels.length === 1 ? levels[0] : undefined
    return this.#labels.labelNames(name).length === 0 ? '' : undefined
  }
}
