/**
 * Puts texts of a template column together again, byte for byte. It goes template by template and
 * part by part over all texts that have it, so that each loop does one thing.
 */
import type { TextColumn } from '../column.ts'
import { offsetsFrom } from '../plain.ts'
import type { TemplateColumn } from './open.ts'
import { isAscii } from './static-parts.ts'
import { writeConstant } from './variables.ts'

/** All texts. */
export function rebuildTexts(column: TemplateColumn): TextColumn {
  const lengths = new Uint32Array(column.valueCount)
  for (let id = 0; id < column.templates.length; id++) {
    const rows = column.rowsOf(id)
    const ofTemplate = lengthsOf(column, id)
    for (let i = 0; i < rows.length; i++) lengths[rows[i]!] = ofTemplate[i]!
  }
  const offsets = offsetsFrom(lengths)
  const bytes = Buffer.allocUnsafeSlow(offsets[column.valueCount]!)
  for (let id = 0; id < column.templates.length; id++) {
    const rows = column.rowsOf(id)
    const places = new Uint32Array(rows.length)
    for (let i = 0; i < rows.length; i++) places[i] = offsets[rows[i]!]!
    write(column, id, bytes, places)
  }
  return { offsets, bytes }
}

/** The texts of one template, in their order. */
export function textsOf(column: TemplateColumn, id: number): TextColumn & { bytes: Buffer } {
  const offsets = offsetsFrom(lengthsOf(column, id))
  const count = offsets.length - 1
  const bytes = Buffer.allocUnsafe(offsets[count]!)
  write(column, id, bytes, offsets.slice(0, count))
  return { offsets, bytes }
}

/** The texts of one template, decoded, in their order. */
export function* rebuildStrings(column: TemplateColumn, id: number): Generator<string> {
  const { offsets, bytes } = textsOf(column, id)
  const count = offsets.length - 1
  // Decoding everything at once and cutting it is twice as fast, where a byte is a character.
  const all = isAscii(column.templates.text(id)) ? bytes.toString('latin1') : undefined
  for (let i = 0; i < count; i++) {
    const start = offsets[i]!
    const end = offsets[i + 1]!
    yield all?.slice(start, end) ?? bytes.toString('utf8', start, end)
  }
}

/** The variables of each slot, in the order of the texts that have it. */
export function* variablesOf(column: TemplateColumn): Generator<TextColumn> {
  for (let id = 0; id < column.templates.length; id++) {
    const { count, firstSlot, slotCount } = column.templates.at(id)
    for (let slot = firstSlot; slot < firstSlot + slotCount; slot++) {
      const variables = column.variablesOf(slot)
      const lengths = new Uint32Array(count)
      variables.addLengths(lengths)
      const offsets = offsetsFrom(lengths)
      const bytes = Buffer.allocUnsafeSlow(offsets[count]!)
      variables.write(bytes, offsets.slice(0, count))
      yield { offsets, bytes }
    }
  }
}

function lengthsOf(column: TemplateColumn, id: number): Uint32Array {
  const { text, count, firstSlot, slotCount } = column.templates.at(id)
  const lengths = new Uint32Array(count).fill(text.length - slotCount)
  for (let slot = 0; slot < slotCount; slot++)
    column.variablesOf(firstSlot + slot).addLengths(lengths)
  return lengths
}

/** Writes all texts of a template at their places, and moves these to the ends of the texts. */
function write(column: TemplateColumn, id: number, target: Buffer, places: Uint32Array): void {
  const { text, firstSlot } = column.templates.at(id)
  text.split('0').forEach((part, index) => {
    if (index > 0) column.variablesOf(firstSlot + index - 1).write(target, places)
    writeConstant(Buffer.from(part, 'latin1'), target, places)
  })
}
