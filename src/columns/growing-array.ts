/** Typed arrays as lists that grow, and that leave no garbage on the way. */

type NumberArray = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>

/** `values` when it has room for `count` numbers; otherwise a copy with twice the room, or more, and the
 *  memory of `values`, which must have all of its own, is returned. */
export function withRoom<Values extends NumberArray>(values: Values, count: number): Values {
  if (count <= values.length) return values
  const Larger = values.constructor as new (length: number) => Values
  const larger = new Larger(Math.max(2 * values.length, count))
  larger.set(values)
  freeMemory(values)
  return larger
}

/** A copy that has all of its memory: what is cut from a larger one keeps that. */
export function ownCopy(bytes: Buffer): Buffer<ArrayBuffer> {
  const own = Buffer.allocUnsafeSlow(bytes.length)
  own.set(bytes)
  return own
}

/** Arrays with less are left to the collector, to which they are less work than a call of this. */
const freedBytesMin = 16 * 1024

/**
 * Returns the memory of an array that has all of its own and is not used any more. The collector
 * would let it lie until there are megabytes of them.
 */
export function freeMemory(values: NumberArray): void {
  if (values.byteLength >= freedBytesMin) values.buffer.transfer(0)
}
