/**
 * Where entries of systemd's Journal Export Format end, in bytes that come in pieces.
 *
 *     NAME=value\n                          a value without line breaks
 *     NAME\n<length><value>\n               any value; the length in 8 bytes, the lowest first
 *     \n                                    the end of an entry
 *
 * Source: systemd.io/JOURNAL_EXPORT_FORMATS.
 */

import { ProblemError } from '../../../problems.ts'

const newline = 0x0a
const equals = 0x3d
const lengthBytes = 8

/** Of a field's name: journald's own bound is 64. What has neither `=` nor a line break soon is no field. */
const nameBytesMax = 256
/** Of a value: what systemd itself takes (`DATA_SIZE_MAX`); beyond it the length is taken for damaged. */
const valueBytesMax = 768 * 1024 * 1024

type Place = 'line' | 'name' | 'text' | 'length' | 'value' | 'after value'

export class JournalEntryScanner {
  #place: Place = 'line'
  /** Of the field that is being read. */
  #nameBytes = 0
  #isName = true
  #lengthDigits = 0
  #missing = 0
  /** Whether the entry that is being read has a field yet. */
  #hasFields = false

  /** Whether a body may end here: what lacks of the last entry is a line break or two. */
  get mayEnd(): boolean {
    return this.#place === 'line' || this.#place === 'text'
  }

  /** Whether what came last belongs to an entry that has not ended. */
  get isWithinEntry(): boolean {
    return this.#hasFields || this.#place !== 'line'
  }

  /**
   * Reads on, from `start`; what was read is not to be given again. The end of the entry, or -1 when all
   * of `bytes` was read and more belongs to it. Line breaks before an entry belong to it.
   *
   * Throws `journal_invalid` when nobody can tell where the next entry begins.
   */
  endOf(bytes: Buffer, start: number): number {
    let at = start
    while (at < bytes.length) {
      const isEnd = this.#place === 'line' && bytes[at] === newline && this.#hasFields
      at = this.#step(bytes, at)
      if (!isEnd) continue
      this.#hasFields = false
      return at
    }
    return -1
  }

  #step(bytes: Buffer, at: number): number {
    switch (this.#place) {
      case 'line':
        if (bytes[at] === newline) return at + 1
        this.#beginField()
        return at
      case 'name':
        return this.#readName(bytes, at)
      case 'text': {
        const end = bytes.indexOf(newline, at)
        if (end < 0) return bytes.length
        this.#place = 'line'
        return end + 1
      }
      case 'length':
        return this.#readLength(bytes[at]!, at)
      case 'value': {
        const taken = Math.min(this.#missing, bytes.length - at)
        this.#missing -= taken
        if (this.#missing === 0) this.#place = 'after value'
        return at + taken
      }
      case 'after value':
        if (bytes[at] !== newline) throw invalid('expected a line break behind a binary value')
        this.#place = 'line'
        return at + 1
    }
  }

  #beginField(): void {
    this.#place = 'name'
    this.#hasFields = true
    this.#nameBytes = 0
    this.#isName = true
  }

  #readName(bytes: Buffer, start: number): number {
    for (let at = start; at < bytes.length; at++) {
      const code = bytes[at]!
      if (code === equals) {
        this.#place = 'text'
        return at + 1
      }
      if (code === newline) {
        if (!this.#isName) throw invalid('expected the name of a field before a line break')
        this.#place = 'length'
        this.#lengthDigits = this.#missing = 0
        return at + 1
      }
      this.#nameBytes += 1
      if (this.#nameBytes > nameBytesMax) throw invalid('expected a field, NAME=value')
      this.#isName &&= isNameByte(code)
    }
    return bytes.length
  }

  #readLength(code: number, at: number): number {
    this.#missing += code * 256 ** this.#lengthDigits
    this.#lengthDigits += 1
    if (this.#lengthDigits === lengthBytes) {
      if (this.#missing > valueBytesMax) {
        throw invalid(`expected a value of at most ${valueBytesMax} bytes`)
      }
      this.#place = this.#missing === 0 ? 'after value' : 'value'
    }
    return at + 1
  }
}

/** A capital letter of ASCII, a digit or `_`. */
function isNameByte(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || code === 0x5f
}

function invalid(detail: string): ProblemError {
  return new ProblemError('journal_invalid', detail)
}
