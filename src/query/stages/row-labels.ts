/** The labels of a batch's or block's records as stages see them: under our names, or under LogQL's. */

import {
  type AttributeColumn,
  indexOfRow,
  type RecordColumns,
} from '../../columns/record-columns.ts'
import { logqlName, ownName } from '../../language/logql-names.ts'
import { levelLabel, streamLabels } from '../../record.ts'
import type { OwnLabels } from './row.ts'

const ofAllRecords: ReadonlySet<string> = new Set([...Object.values(streamLabels), levelLabel])

export class RowLabels implements OwnLabels {
  /** The record whose labels are asked for. */
  row = 0
  readonly #columns: RecordColumns
  readonly #texts = new Map<string, () => string>()
  #namesByLogqlName: ReadonlyMap<string, readonly string[]> | undefined

  constructor(columns: RecordColumns) {
    this.#columns = columns
  }

  text(name: string): string {
    let text = this.#texts.get(name)
    if (text === undefined) {
      text = this.#textOf(ownName(name))
      this.#texts.set(name, text)
    }
    return text()
  }

  /**
   * Attributes of that name; where LogQL's name is asked for, of any that has it. The exact one is first.
   * None for what all records have, such as `service_name`, whatever attributes they came with.
   */
  attributeNames(name: string): readonly string[] {
    if (ofAllRecords.has(ownName(name))) return []
    this.#namesByLogqlName ??= Map.groupBy(this.#columns.attributeNames, logqlName)
    const alike = this.#namesByLogqlName.get(name) ?? []
    const isExact = this.#columns.attributeValueCount(name) > 0
    return isExact ? [name, ...alike.filter(other => other !== name)] : alike
  }

  /** The same for a label that a stage names: under our name, too, all that LogQL cannot tell apart. */
  labelNames(name: string): readonly string[] {
    const own = this.attributeNames(name)
    const alike = this.attributeNames(logqlName(name))
    return name === logqlName(name) ? own : [...new Set([...own, ...alike])]
  }

  /** Whether it is LogQL's name, and no attribute but that of this very name is found under it. */
  isAlone(name: string): boolean {
    const isOfAll = ofAllRecords.has(ownName(name))
    return (
      name === logqlName(name) && !isOfAll && this.attributeNames(name).every(own => own === name)
    )
  }

  #textOf(name: string): () => string {
    const columns = this.#columns
    const { streams, streamCodes, levels, levelCodes } = columns
    if (name === streamLabels.service) return () => streams[streamCodes[this.row]!]!.service
    if (name === streamLabels.environment) return () => streams[streamCodes[this.row]!]!.environment
    if (name === levelLabel) return () => levels[levelCodes[this.row]!]!
    const attributes = this.labelNames(name).map(own => columns.attribute(own)!)
    if (attributes.length === 0) return () => ''
    return () => {
      for (const attribute of attributes) {
        const text = textAtRow(attribute, this.row)
        if (text !== undefined && text !== '') return text
      }
      return ''
    }
  }
}

/**
 * What a record came with under this very name; undefined for nothing, and for what all records have; empty
 * for an empty text.
 */
export function ownTextOf(name: string, columns: RecordColumns, row: number): string | undefined {
  return ofAllRecords.has(ownName(name)) ? undefined : attributeTextOf(name, columns, row)
}

/** What a record came with under this very name, whatever else it names; undefined for nothing. */
export function attributeTextOf(
  name: string,
  columns: RecordColumns,
  row: number,
): string | undefined {
  const attribute = columns.attributeValueCount(name) > 0 ? columns.attribute(name) : undefined
  return attribute && textAtRow(attribute, row)
}

/** The value of a record; undefined when it has none. */
function textAtRow({ column, rows }: AttributeColumn, row: number): string | undefined {
  const index = rows === undefined ? row : indexOfRow(rows, row)
  return index === -1 ? undefined : column.textAt(index)
}
