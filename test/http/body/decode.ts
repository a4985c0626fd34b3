/** Decodes a body as if nobody else had one. */

import { freeMemory } from '../../../src/columns/growing-array.ts'
import {
  type ContentEncoding,
  decodeBody as decodeInTurn,
} from '../../../src/http/body/content-encoding.ts'
import { LargeDecoder } from '../../../src/http/body/large-decoder.ts'
import { LargeWork } from '../../../src/ingest/large-work.ts'
import { opened } from '../../../src/ingest/sealed-body.ts'
import { SpareMemory } from '../../../src/ingest/spare-memory.ts'

const { signal } = new AbortController()
const largeDecoder = new LargeDecoder(new SpareMemory(() => 0), new LargeWork())

export function decodeBody(
  encoding: ContentEncoding,
  body: Uint8Array,
  bytesMax: number,
): Buffer | Promise<Buffer> {
  const own = Buffer.from(new Uint8Array(body).buffer) // It is given up.
  const queue = { ownTurn: async () => {}, checkPlace: () => {}, takeTurn: async () => () => {} }
  const options = { bytesMax, ...queue, signal: () => signal, giveBack: freeMemory, largeDecoder }
  const decoded = decodeInTurn(encoding, own, options)
  return decoded instanceof Promise ? decoded.then(opened) : decoded
}
