/** Labels as they are after stages, of all records of a block or batch that have come through them. */

import type { AttributeColumn } from '../../columns/record-columns.ts'
import { addText, LabelTexts } from './label-texts.ts'
import type { LabelValues } from './label-values.ts'
import { ownTextOf } from './row-labels.ts'
import { NotShared } from './shared-labels.ts'
import type { ShapedGroup } from './staged-groups.ts'
import type { StagedRun } from './staged-run.ts'

/**
 * The named labels of the selected records, all of which `run` has selected; undefined for one that none
 * of them has. Throws TurnOver, StagedTooLong.
 */
export function stagedLabels(
  names: readonly string[],
  run: StagedRun,
  selected: Uint8Array,
): Map<string, AttributeColumn | undefined> {
  const { columns, groups } = run
  const isAlone = run.isAlone.map((mark, number) => mark & selected[number]!)
  const made = new Map<string, AttributeColumn | undefined>()
  const texts = new Map<string, LabelTexts>()
  for (const name of names) {
    if (isAsItCame(name, run, isAlone)) made.set(name, columns.attribute(name))
    else texts.set(name, new LabelTexts(columns.recordCount))
  }
  if (texts.size === 0) return made
  for (const group of groups) addGroup(group, run, { texts, selected, isAlone })
  run.forEachAlone(isAlone, (row, number) => {
    for (const [name, ofLabel] of texts) {
      const own = row.hasOwn(name) ? ownTextOf(name, columns, number) : undefined
      addText(ofLabel, number, own, row.label(name))
    }
  })
  for (const [name, ofLabel] of texts) made.set(name, ofLabel.column())
  return made
}

/** Whether all records have a label as they came with it, under this very name and no other. */
function isAsItCame(name: string, { labels, groups }: StagedRun, isAlone: Uint8Array): boolean {
  const [exact, ...others] = labels.labelNames(name)
  if (exact !== name || others.length > 0 || isAlone.includes(1)) return false
  return groups.every(group => group.isOwn(name))
}

interface Gathered {
  readonly texts: ReadonlyMap<string, LabelTexts>
  readonly selected: Uint8Array
  /** Gets the marks of groups whose records are to be looked at one by one. */
  readonly isAlone: Uint8Array
}

function addGroup(
  group: ShapedGroup,
  { columns, labels, isAlone: wasAlone }: StagedRun,
  { texts, selected, isAlone }: Gathered,
): void {
  const { rows } = group.group
  const isWanted = (number: number) => selected[number] === 1 && wasAlone[number] === 0
  const values = valuesOfAll(group, [...texts.keys()])
  if (values === undefined) {
    for (let i = 0; i < group.count; i++) {
      const number = rows === undefined ? i : rows[i]!
      if (isWanted(number)) isAlone[number] = 1
    }
    return
  }
  for (const [name, ofLabel] of texts) {
    const isExact = group.isOwn(name) && columns.attributeValueCount(name) > 0
    if (!isExact) {
      ofLabel.addGroup(values.get(name)!, rows, isWanted)
      continue
    }
    for (let i = 0; i < group.count; i++) {
      const number = rows === undefined ? i : rows[i]!
      if (!isWanted(number)) continue
      labels.row = number
      addText(ofLabel, number, ownTextOf(name, columns, number), labels.text(name))
    }
  }
}

/** Undefined where records part in one of them. */
function valuesOfAll(
  group: ShapedGroup,
  names: readonly string[],
): ReadonlyMap<string, LabelValues> | undefined {
  try {
    return new Map(names.map(name => [name, group.valuesOf(name)]))
  } catch (error) {
    if (error instanceof NotShared) return undefined
    throw error
  }
}
