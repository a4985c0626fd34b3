/** ASCII letters in lower case, in memory that is used again and again. */

const lowerOf = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte,
)

let scratch: Buffer = Buffer.alloc(0)

/** The same bytes with all ASCII letters in lower case. Valid until the next call. */
export function lowered(bytes: Uint8Array): Buffer {
  const { length } = bytes
  if (scratch.length < length) scratch = Buffer.alloc(2 * length)
  const into = scratch
  for (let at = 0; at < length; at++) into[at] = lowerOf[bytes[at]!]!
  return into.subarray(0, length)
}
