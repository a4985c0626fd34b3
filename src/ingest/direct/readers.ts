/** The direct readers of this thread. */

import type { ParseChoice } from '../normalise.ts'
import { hasRole, rolesOf } from './field-tree.ts'
import { DirectReader } from './reader.ts'

type Readers = Map<string | undefined, DirectReader>

/** By the field of the time: senders use few of them. */
const readersOf = { asIs: new Map() as Readers, json: new Map() as Readers }
const readersMax = 16
/**
 * The reader of this thread for events whose time is in `timestampField` and whose messages are parsed
 * so; undefined when none will do.
 */
export function directReaderFor(
  timestampField: string | undefined,
  parse?: ParseChoice,
): DirectReader | undefined {
  const readers = readersOf[parse ?? 'asIs']
  const known = readers.get(timestampField)
  if (known !== undefined) return known
  // Such a field has a meaning of its own, beside which the tree has no room for another.
  if (timestampField !== undefined && hasRole(rolesOf(timestampField, true))) return undefined
  if (readers.size === readersMax) readers.clear()
  const reader = new DirectReader(timestampField, parse)
  readers.set(timestampField, reader)
  return reader
}
