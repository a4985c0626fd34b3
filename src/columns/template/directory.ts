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
import { ByteReader, ByteWriter } from './bytes.ts'
import { SlotPlaces } from './slot-places.ts'
import { codePlanes, type EncodedSlot, entriesMax, slotKinds, slotParameters } from './slots.ts'
import { Templates } from './templates.ts'

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

export interface Directory {
  readonly templates: Templates
  readonly slots: SlotPlaces
  /** Bytes of each chunk with texts, by its number: its own, and those of variables. 0: there is none. */
  readonly chunkBytes: readonly number[]
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
  const templates = Templates.read(bytes, reader, templateCount, valueCount)
  const { slotCount } = templates
  const kindsAt = reader.skip(slotCount)
  const slots = new SlotPlaces(slotCount)
  // Each chunk holds a slot at least.
  const bytesOfChunks = new Float64Array(firstVariablesChunk + slotCount)
  let chunkCount = firstVariablesChunk
  for (let slot = 0, template = 0; slot < slotCount; slot++) {
    while (slot === templates.firstSlot(template + 1)) template++
    const kind = bytes[kindsAt + slot]!
    const chunk = readSlot(reader, slots, slot, kind)
    if (chunk >= bytesOfChunks.length) throw new RangeError(`variables cannot be in chunk ${chunk}`)
    const offset = bytesOfChunks[chunk]!
    const length = slotBytes(slots, slot, templates.count(template))
    slots.put(slot, template, chunk, offset, length)
    bytesOfChunks[chunk] = offset + length
    if (chunk >= chunkCount) chunkCount = chunk + 1
  }
  slots.shift(directoryChunk, reader.at) // Constants follow from here on.
  if (reader.at + bytesOfChunks[directoryChunk]! !== bytes.length) {
    throw new RangeError('the constants of a template column do not fill its directory')
  }
  bytesOfChunks[directoryChunk] = bytes.length
  const chunkBytes = Array.from(bytesOfChunks.subarray(0, chunkCount))
  return { templates, slots, chunkBytes }
}

/** Bytes of the `count` variables of a slot. */
function slotBytes(slots: SlotPlaces, slot: number, count: number): number {
  const first = slots.parameter(slot, 0)
  const second = slots.parameter(slot, 1)
  const third = slots.parameter(slot, 2)
  switch (slots.kind(slot)) {
    case slotKinds.constant:
      return first
    case slotKinds.integer:
      return second * count
    case slotKinds.dictionary:
      return codePlanes(first) * count + third * first + slots.parameter(slot, 3)
    case slotKinds.hex:
      return (first / 2) * count
    default:
      return second * count + third
  }
}

/** Reads what a slot is and takes; returns the chunk that it names. */
function readSlot(reader: ByteReader, slots: SlotPlaces, slot: number, kind: number): number {
  const names = slotParameters[kind]
  if (names === undefined) throw new RangeError(`no kind of variables has the number ${kind}`)
  const isConstant = kind === slotKinds.constant
  const chunk = isConstant ? directoryChunk : reader.varint()
  if (!isConstant && chunk < firstVariablesChunk) {
    throw new RangeError(`variables cannot be in chunk ${chunk}`)
  }
  slots.setKind(slot, kind)
  for (let i = 0; i < names.length; i++) slots.setParameter(slot, i, reader.varint())
  checkParameters(slots, slot)
  return chunk
}

/** What the lengths of chunks do not show. */
function checkParameters(slots: SlotPlaces, slot: number): void {
  const kind = slots.kind(slot)
  const first = slots.parameter(slot, 0)
  const second = slots.parameter(slot, 1)
  const third = slots.parameter(slot, 2)
  const isPossible =
    kind === slotKinds.integer
      ? second <= planesMax
      : kind === slotKinds.dictionary
        ? first > 0 && first <= entriesMax && third <= lengthPlanesMax
        : kind === slotKinds.hex
          ? first % 2 === 0
          : kind !== slotKinds.text || second <= lengthPlanesMax
  if (!isPossible) {
    throw new RangeError(`variables of kind ${kind} cannot be ${first}, ${second}, ${third}`)
  }
}
