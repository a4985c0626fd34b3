/** The bytes that JSON is made of, by name; what reads JSON below the level of text shares them. */

export const byte = {
  tab: 0x09,
  newline: 0x0a,
  return: 0x0d,
  space: 0x20,
  quote: 0x22,
  plus: 0x2b,
  comma: 0x2c,
  minus: 0x2d,
  dot: 0x2e,
  slash: 0x2f,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  upperZ: 0x5a,
  bracketOpen: 0x5b,
  backslash: 0x5c,
  bracketClose: 0x5d,
  lowerB: 0x62,
  lowerD: 0x64,
  lowerE: 0x65,
  lowerF: 0x66,
  lowerN: 0x6e,
  lowerR: 0x72,
  lowerT: 0x74,
  lowerU: 0x75,
  braceOpen: 0x7b,
  braceClose: 0x7d,
} as const

/** What each letter after a backslash stands for; 0 where there is no such escape, and for `u`. */
export const escapedBytes = new Uint8Array(256)
for (const same of [byte.quote, byte.backslash, byte.slash]) escapedBytes[same] = same
escapedBytes[byte.lowerB] = 0x08
escapedBytes[byte.lowerF] = 0x0c
escapedBytes[byte.lowerN] = byte.newline
escapedBytes[byte.lowerR] = byte.return
escapedBytes[byte.lowerT] = byte.tab

/** JSON's white space (RFC 8259, section 2) and no other. */
export function isSpace(value: number | undefined): boolean {
  return (
    value === byte.space || value === byte.newline || value === byte.return || value === byte.tab
  )
}

export function isDigit(value: number | undefined): boolean {
  return value !== undefined && value >= byte.zero && value <= byte.nine
}

/** Whether just `bytes` stand between `start` and `end` of `body`. */
export function hasBytes(body: Uint8Array, start: number, end: number, bytes: Uint8Array): boolean {
  if (bytes.length !== end - start) return false
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] !== body[start + i]) return false
  }
  return true
}

export function isOpener(value: number | undefined): boolean {
  return value === byte.braceOpen || value === byte.bracketOpen
}

/** The first offset from `start` on that is not white space; `end` when there is none. */
export function skipSpace(body: Buffer, start: number, end: number): number {
  let offset = start
  while (offset < end && isSpace(body[offset])) {
    offset += 1
  }
  return offset
}

/** Where `end` moves when white space before it is left out; never below `start`. */
export function trimSpace(body: Buffer, start: number, end: number): number {
  let offset = end
  while (offset > start && isSpace(body[offset - 1])) {
    offset -= 1
  }
  return offset
}

/** How many bytes a byte order mark takes at the start of `body`: 3, or 0 without one. */
export function byteOrderMarkBytes(body: Buffer): number {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0
}
