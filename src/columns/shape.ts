/**
 * Checks of what a column reads from disk. Checksums have found damaged bytes before; these find what
 * a checksum cannot: a description that belongs to other chunks, or was written by something else.
 * A failure is an Error that names the encoding and what is off, never a wrong answer.
 */

/** Throws `what` unless the condition holds. */
export function checkShape(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what)
}

/** The integers of a description: as many as there are names, which only errors need. */
export function readIntegers(
  encoding: string,
  meta: unknown,
  names: readonly string[],
): readonly number[] {
  checkShape(Array.isArray(meta), `${encoding} column: its description is not a list`)
  checkShape(
    meta.length === names.length,
    `${encoding} column: its description has ${meta.length} fields, not ${names.join(', ')}`,
  )
  names.forEach((name, i) => {
    checkShape(
      Number.isInteger(meta[i]),
      `${encoding} column: ${name} is not an integer: ${String(meta[i])}`,
    )
  })
  return meta
}

/** Throws unless a chunk has the bytes that its column's description asks for. */
export function checkLength(encoding: string, chunk: Uint8Array, bytes: number): void {
  checkShape(
    chunk.length === bytes,
    `${encoding} column: a chunk has ${chunk.length} bytes, not ${bytes}`,
  )
}

/** Throws unless the number of values is one that a typed array can have. */
export function checkCount(encoding: string, valueCount: number): void {
  checkShape(
    Number.isInteger(valueCount) && valueCount >= 0 && valueCount < 0xffffffff,
    `${encoding} column: cannot have ${valueCount} values`,
  )
}
