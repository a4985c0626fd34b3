/**
 * The directory of a template column, its chunk 0: all templates, and where the variables of each of
 * their slots are.
 *
 *     ┌─────────┬────────┬──────────────────┬────────────────┬───────────────────────┬───────────┐
 *     │ lengths │ counts │ templates        │ kinds <slots>  │ chunk, parameters     │ constants │
 *     │ varints │ varints│ latin1, "0"=slot │ a byte each    │ varints for each slot │ bytes     │
 *     └─────────┴────────┴──────────────────┴────────────────┴───────────────────────┴───────────┘
 *
 * - `counts` says how many texts have each template; none has no text, and they add up.
 * - Slots stand in the order of the templates and, within one, of its text.
 * - A slot that is constant has no `chunk`; its bytes are the next of `constants`. Others name a chunk
 *   from 2 on; in it their bytes follow those of the last slot that named it. Nothing is left over.
 */
import type { TemplateCount } from '../column.ts'
import { sharedText } from '../shared-text.ts'
import { ByteReader, ByteWriter } from './bytes.ts'
import { SlotPlaces } from './slot-places.ts'
import { type EncodedSlot, entriesMax, slotBytes, slotKinds, slotParameters } from './slots.ts'
import { slotMark } from './split.ts'

/** Chunks with fixed places; those with variables follow. */
export const directoryChunk = 0
export const idsChunk = 1
export const firstVariablesChunk = 2

/** Planes of integers to 2^53, and of lengths. */
const planesMax = 7
const lengthPlanesMax = 4

/** An encoded slot, and the chunk that its bytes were put in. */
export interface PlacedSlot extends EncodedSlot {
  readonly chunk: number
}

export interface DirectoryTemplate {
  /** Latin1. */
  readonly text: string
  /** Texts that have it. */
  readonly count: number
  /** Texts of the templates before it. */
  readonly firstRow: number
  readonly firstSlot: number
  readonly slotCount: number
}

export interface Directory {
  readonly templates: readonly DirectoryTemplate[]
  readonly slots: SlotPlaces
  /** Bytes of each chunk of variables, by its number. */
  readonly chunkBytes: ReadonlyMap<number, number>
}

export function writeDirectory(
  templates: readonly TemplateCount[],
  slots: readonly PlacedSlot[],
): Buffer {
  const writer = new ByteWriter()
  for (const { text } of templates) writer.varint(text.length)
  for (const { count } of templates) writer.varint(count)
  for (const { text } of templates) writer.latin1(text)
  for (const { kind } of slots) writer.byte(kind)
  for (const { kind, chunk, parameters } of slots) {
    if (kind !== slotKinds.constant) writer.varint(chunk)
    for (const parameter of parameters) writer.varint(parameter)
  }
  for (const { kind, bytes } of slots) {
    if (kind === slotKinds.constant) writer.copy(bytes)
  }
  return writer.done()
}

/** Reads what `writeDirectory` wrote. Throws a RangeError for anything else. */
export function readDirectory(bytes: Buffer, templateCount: number, valueCount: number): Directory {
  const reader = new ByteReader(bytes)
  const templates = readTemplates(reader, templateCount, valueCount)
  const slotCount = templates.reduce((sum, template) => sum + template.slotCount, 0)
  const kinds = Uint8Array.from({ length: slotCount }, () => reader.byte())
  const read = templates.flatMap(({ firstSlot, slotCount, count }, template) =>
    Array.from({ length: slotCount }, (_, i) =>
      readSlot(reader, kinds[firstSlot + i]!, template, count),
    ),
  )

  const chunkBytes = new Map([[directoryChunk, reader.at]]) // Constants follow from here on.
  const slots = new SlotPlaces(slotCount)
  for (const [i, { parameters, ...slot }] of read.entries()) {
    const offset = chunkBytes.get(slot.chunk) ?? 0
    slots.set(i, { ...slot, offset }, parameters)
    chunkBytes.set(slot.chunk, offset + slot.bytes)
  }
  if (chunkBytes.get(directoryChunk) !== bytes.length) {
    throw new RangeError('the constants of a template column do not fill its directory')
  }
  return { templates, slots, chunkBytes }
}

function readTemplates(
  reader: ByteReader,
  templateCount: number,
  valueCount: number,
): DirectoryTemplate[] {
  const lengths = Array.from({ length: templateCount }, () => reader.varint())
  const counts = Array.from({ length: templateCount }, () => reader.varint())
  const isCounted = counts.every(count => count > 0)
  if (!isCounted || counts.reduce((sum, count) => sum + count, 0) !== valueCount) {
    throw new RangeError(`the templates do not add up to ${valueCount} texts`)
  }
  let firstSlot = 0
  let firstRow = 0
  return lengths.map((length, template) => {
    const text = sharedText(reader.latin1(length))
    const slotCount = countSlots(text)
    const count = counts[template]!
    const read = { text, count, firstRow, firstSlot, slotCount }
    firstSlot += slotCount
    firstRow += count
    return read
  })
}

function countSlots(template: string): number {
  let count = 0
  for (let i = 0; i < template.length; i++) {
    if (template.charCodeAt(i) === slotMark) count++
  }
  return count
}

/** Everything about a slot but its offset, which depends on the slots before it. */
function readSlot(reader: ByteReader, kind: number, template: number, count: number) {
  const names = slotParameters[kind]
  if (names === undefined) throw new RangeError(`no kind of variables has the number ${kind}`)
  const chunk = kind === slotKinds.constant ? directoryChunk : reader.varint()
  if (kind !== slotKinds.constant && chunk < firstVariablesChunk) {
    throw new RangeError(`variables cannot be in chunk ${chunk}`)
  }
  const parameters = names.map(() => reader.varint())
  checkParameters(kind, parameters)
  return { template, kind, parameters, chunk, bytes: slotBytes(kind, parameters, count) }
}

/** What the lengths of chunks do not show. */
function checkParameters(kind: number, parameters: readonly number[]): void {
  const [first = 0, second = 0, third = 0] = parameters
  const isPossible =
    kind === slotKinds.integer
      ? second <= planesMax
      : kind === slotKinds.dictionary
        ? first > 0 && first <= entriesMax && third <= lengthPlanesMax
        : kind === slotKinds.hex
          ? first % 2 === 0
          : kind !== slotKinds.text || second <= lengthPlanesMax
  if (!isPossible) throw new RangeError(`variables of kind ${kind} cannot be ${parameters}`)
}
