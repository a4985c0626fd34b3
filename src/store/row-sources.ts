/** Batches of the journal and blocks of segments as sources of rows for new blocks. */
import type { Batch } from '../journal/batch-reader.ts'
import type { RowSource } from '../segment/block-builder.ts'
import type { BlockColumns } from '../segment/block-columns.ts'
import type { TextColumn } from '../segment/columns/column.ts'

export function rowsOfBatch(batch: Batch): RowSource {
  return {
    timestamp: row => batch.timestamp(row),
    sequence: row => batch.sequence(row),
    level: row => batch.level(row),
    message: batch.message.texts,
    attributeNames: [...batch.attributeNames], // Asked for by each stream's builder.
    attribute(name) {
      const attribute = batch.attribute(name)
      return attribute && { texts: attribute.column.texts, rows: attribute.rows }
    },
  }
}

/** Decodes the columns of a block whole. */
export function rowsOfBlock(block: BlockColumns): RowSource {
  const { levels, levelCodes } = block
  const texts = new Map<string, TextColumn>()
  return {
    timestamp: row => block.timestamp(row),
    sequence: row => block.sequence(row),
    level: row => levels[levelCodes[row]!]!,
    message: block.message.toTextColumn(),
    attributeNames: [...block.attributeNames],
    attribute(name) {
      const attribute = block.attribute(name)
      if (attribute === undefined) return undefined
      let column = texts.get(name)
      if (column === undefined) {
        column = attribute.column.toTextColumn()
        texts.set(name, column)
      }
      return { texts: column, rows: attribute.rows }
    },
  }
}
