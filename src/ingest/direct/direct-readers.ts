/** The direct readers of this thread. */

import { DirectReader } from './direct-reader.ts'
import { hasRole, rolesOf } from './field-tree.ts'

/** By the field of the time: senders use few of them. */
const readers = new Map<string | undefined, DirectReader>()
const readersMax = 16
/** The reader of this thread for events whose time is in `timestampField`; undefined when none will do. */
export function directReaderFor(timestampField: string | undefined): DirectReader | undefined {
  const known = readers.get(timestampField)
  if (known !== undefined) return known
  // Such a field has a meaning of its own, beside which the tree has no room for another.
  if (timestampField !== undefined && hasRole(rolesOf(timestampField, true))) return undefined
  if (readers.size === readersMax) readers.clear()
  const reader = new DirectReader(timestampField)
  readers.set(timestampField, reader)
  return reader
}
