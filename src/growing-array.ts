/** Typed arrays as lists that grow: no garbage on the way but the smaller arrays. */

type NumberArray = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>

/** `values` when it has room for `count` numbers; otherwise a copy with twice the room, or more. */
export function withRoom<Values extends NumberArray>(values: Values, count: number): Values {
  if (count <= values.length) return values
  const Larger = values.constructor as new (length: number) => Values
  const larger = new Larger(Math.max(2 * values.length, count))
  larger.set(values)
  return larger
}
