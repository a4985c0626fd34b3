/**
 * Sources as they travel to a scan thread. A query over many blocks sends a place for each, and copying
 * small objects from thread to thread takes longer than looking into the blocks: numbers in one array,
 * and each path once, are copied in a hundredth of the time.
 */

import type { SourceRef } from '../index/source.ts'
import type { ScanSource, Sources } from './scan-task.ts'

export interface PackedSources {
  /** The paths of all files, each once. */
  readonly paths: readonly string[]
  /** `fieldsPerSource` numbers of each source. */
  readonly fields: Float64Array
}

/** Number in the query, path, kind, flags, file or segment, offset, bytes; of a block's directory
 *  bytes and checksum; of its skip index offset, bytes, checksum and the block's number (zeros: none). */
const fieldsPerSource = 13
const kinds = ['journal', 'block'] as const
const flags = { counted: 1, sifted: 2 } as const

export function packSources(sources: Sources): PackedSources {
  const fields = new Float64Array(sources.length * fieldsPerSource)
  const pathNumbers = new Map<string, number>()
  let at = 0
  for (const { number, path, source, isCounted, isSifted } of sources) {
    let pathNumber = pathNumbers.get(path)
    if (pathNumber === undefined) {
      pathNumber = pathNumbers.size
      pathNumbers.set(path, pathNumber)
    }
    fields[at] = number
    fields[at + 1] = pathNumber
    fields[at + 2] = kinds.indexOf(source.kind)
    fields[at + 3] = Number(isCounted) * flags.counted + Number(isSifted === true) * flags.sifted
    if (source.kind === 'journal') {
      fields[at + 4] = source.file
      fields[at + 5] = source.offset
      fields[at + 6] = source.bytes
    } else {
      fields[at + 4] = source.segment
      fields[at + 5] = source.directory.offset
      fields[at + 6] = source.bytes
      fields[at + 7] = source.directory.bytes
      fields[at + 8] = source.directory.crc
      if (source.skip !== undefined) {
        const { index, block } = source.skip
        fields[at + 9] = index.offset
        fields[at + 10] = index.bytes
        fields[at + 11] = index.crc
        fields[at + 12] = block
      }
    }
    at += fieldsPerSource
  }
  return { paths: [...pathNumbers.keys()], fields }
}

/** The sources that were packed, in their order. Each is made when it is come to, and gone after: five
 *  objects for each of a thousand blocks would outlive the collections of a task. */
export class UnpackedSources implements Sources {
  readonly #packed: PackedSources

  constructor(packed: PackedSources) {
    this.#packed = packed
  }

  get length(): number {
    return this.#packed.fields.length / fieldsPerSource
  }

  *[Symbol.iterator](): Generator<ScanSource> {
    const { paths, fields } = this.#packed
    for (let at = 0; at < fields.length; at += fieldsPerSource) {
      yield {
        number: fields[at]!,
        path: paths[fields[at + 1]!]!,
        source: sourceAt(fields, at),
        isCounted: (fields[at + 3]! & flags.counted) !== 0,
        isSifted: (fields[at + 3]! & flags.sifted) !== 0,
      }
    }
  }
}

function sourceAt(fields: Float64Array, at: number): SourceRef {
  const place = fields[at + 4]!
  const offset = fields[at + 5]!
  const bytes = fields[at + 6]!
  if (kinds[fields[at + 2]!] === 'journal') return { kind: 'journal', file: place, offset, bytes }
  const directory = { offset, bytes: fields[at + 7]!, crc: fields[at + 8]! }
  const index = { offset: fields[at + 9]!, bytes: fields[at + 10]!, crc: fields[at + 11]! }
  const skip = index.bytes === 0 ? undefined : { index, block: fields[at + 12]! }
  return { kind: 'block', segment: place, directory, bytes, skip }
}
