/** The nanoseconds of an event's time as the text of an attribute, in memory of our own. */

import { byte } from '../bytes.ts'
import { subMsDigits } from '../moment.ts'

const textBytesMax = 32

export class DirectNanoseconds {
  readonly bytes = Buffer.alloc(textBytesMax)
  /** Bytes of the text; 0 when the time is no finer than its record's. */
  length = 0

  clear(): void {
    this.length = 0
  }

  setText(text: string): void {
    this.length = this.bytes.write(text, 'latin1')
  }

  /** Of a time after 1970: `ms` and the nanoseconds beyond them. Together they are no exact number. */
  set(ms: number, subMsNanoseconds: number): void {
    let digits = 0
    for (let rest = ms; rest >= 1; rest = Math.floor(rest / 10)) digits += 1
    this.#writeDigits(ms, 0, digits)
    this.#writeDigits(subMsNanoseconds, digits, subMsDigits)
    this.length = digits + subMsDigits
  }

  #writeDigits(value: number, start: number, count: number): void {
    let rest = value
    for (let at = start + count - 1; at >= start; at--) {
      const shorter = Math.floor(rest / 10)
      this.bytes[at] = byte.zero + rest - 10 * shorter
      rest = shorter
    }
  }
}
