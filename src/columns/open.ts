/**
 * Opens a column by the name of its encoding. Chunks are asked for when an operation needs them.
 */
import type { ChunkSource, Encoding, SearchableColumn } from './column.ts'
import { openConstant } from './constant.ts'
import { openDictionary } from './dictionary.ts'
import { openFixedPoint } from './fixed-point.ts'
import { openHex } from './hex.ts'
import { openInteger } from './integer.ts'
import { checkShape } from './shape.ts'
import { openTemplate } from './template/open.ts'
import { openText } from './text.ts'

type Opener = (meta: unknown, valueCount: number, chunk: ChunkSource) => SearchableColumn

const openers = new Map<string, Opener>([
  ['constant', openConstant],
  ['dictionary', openDictionary],
  ['integer', openInteger],
  ['fixed-point', openFixedPoint],
  ['hex', openHex],
  ['template', openTemplate],
  ['text', openText],
] satisfies [Encoding, Opener][])

/**
 * Opens `valueCount` values from what an encoder gave, read back from disk.
 * @throws Error naming what is off, here or at the operation that first needs a chunk.
 */
export function openColumn(
  encoding: string,
  meta: unknown,
  valueCount: number,
  chunk: ChunkSource,
): SearchableColumn {
  const open = openers.get(encoding)
  checkShape(open !== undefined, `no column has the encoding ${JSON.stringify(encoding)}`)
  return open(meta, valueCount, chunk)
}
