/** Lengths as ClickHouse's binary formats have them (LEB128). */

/** -1 when its end has not come. */
export function varintAt(bytes: Buffer, start: number): number {
  let value = 0
  let factor = 1
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]!
    value += (byte & 0x7f) * factor
    if (byte < 0x80) return value
    factor *= 0x80
  }
  return -1
}

export function varintBytes(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5
}
