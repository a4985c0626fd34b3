/** The rows that are selected, so that those which are not cost nothing further. */

/** All rows from one to another one, as those of a time are. */
interface Run {
  readonly from: number
  readonly to: number
  readonly count: number
}

/** Any rows, ascending. */
interface List {
  readonly list: Uint32Array
  readonly count: number
}

export type SelectedRows = Run | List

/** One for all batches and blocks: memory anew for each would be most of the work. */
let room = new Uint32Array(0)

/** Valid until the next call. `selected`: 1 for each row that is. */
export function selectedRows(selected: Uint8Array): SelectedRows {
  const from = selected.indexOf(1)
  if (from === -1) return { from: 0, to: 0, count: 0 }
  const hole = selected.indexOf(0, from)
  const to = hole === -1 ? selected.length : hole
  if (selected.indexOf(1, to) === -1) return { from, to, count: to - from }
  if (room.length < selected.length) room = new Uint32Array(selected.length)
  let count = 0
  for (let row = from; row < selected.length; row++) {
    room[count] = row
    count += selected[row]!
  }
  return { list: room, count }
}

export function isList(rows: SelectedRows): rows is List {
  return 'list' in rows
}
