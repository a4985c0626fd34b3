/** Columns of texts for the segment's tests. */
import type { TextColumn } from '../../src/columns/column.ts'
import { offsetsFrom } from '../../src/columns/plain.ts'

export function textColumn(texts: readonly string[]): TextColumn {
  const bytes = texts.map(text => Buffer.from(text))
  const offsets = offsetsFrom(bytes.map(({ length }) => length))
  return { offsets, bytes: Buffer.concat(bytes) }
}
