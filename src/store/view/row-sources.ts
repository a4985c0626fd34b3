/** Journal files and blocks of segments as sources of rows for new blocks. */

import type { TextColumn } from '../../columns/column.ts'
import { getOrInsertComputed } from '../../get-or-insert.ts'
import type { FileColumns } from '../../journal/file-columns.ts'
import type { RowSource } from '../../segment/block-builder.ts'
import type { BlockColumns } from '../../segment/block-columns.ts'

/** `attributeNames`: those that any of the rows has. */
export function rowsOfFile(columns: FileColumns, attributeNames: readonly string[]): RowSource {
  return {
    attributeNames,
    timestamp: row => columns.timestamp(row),
    sequence: row => columns.sequence(row),
    level: row => columns.level(row),
    message: columns.message,
    attribute: name => columns.attribute(name),
  }
}

/** Decodes columns of a block whole, when they are asked for; `open` opens it, again after a release. */
export function rowsOfBlock(open: () => BlockColumns): RowSource {
  const texts = new Map<string, TextColumn>()
  let opened: BlockColumns | undefined
  let message: TextColumn | undefined
  const block = () => {
    opened ??= open()
    return opened
  }
  return {
    timestamp: row => block().timestamp(row),
    sequence: row => block().sequence(row),
    level: row => block().levels[block().levelCodes[row]!]!,
    get message() {
      message ??= block().message.toTextColumn()
      return message
    },
    attributeNames: [...block().attributeNames],
    attribute(name) {
      const attribute = block().attribute(name)
      if (attribute === undefined) return undefined
      const column = getOrInsertComputed(texts, name, () => attribute.column.toTextColumn())
      return { texts: column, rows: attribute.rows }
    },
    release() {
      texts.clear()
      opened = undefined
      message = undefined
    },
  }
}
