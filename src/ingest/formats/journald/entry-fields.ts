/** The fields of one entry of the Journal Export Format whose bytes `JournalEntryScanner` has found. */

import { isUtf8 } from 'node:buffer'
import { bytesValue, type Fields, newFields } from '../../otlp/any-value.ts'

const newline = 0x0a
const lengthBytes = 8

/**
 * Names and values. A field that is there several times has all its values, as an array. Bytes that are no
 * text are base64; in the message they are Latin-1, so that it can be read.
 */
export function readFields(entry: Buffer): Fields {
  const fields = newFields()
  for (let at = 0; at < entry.length; ) {
    if (entry[at] === newline) {
      at += 1
      continue
    }
    const lineEnd = orEnd(entry.indexOf(newline, at), entry)
    const equals = entry.subarray(at, lineEnd).indexOf('=')
    if (equals >= 0) {
      const name = entry.toString('utf8', at, at + equals)
      add(fields, name, entry.subarray(at + equals + 1, lineEnd))
      at = lineEnd + 1
    } else {
      const valueAt = lineEnd + 1 + lengthBytes
      const valueEnd = valueAt + Number(entry.readBigUInt64LE(lineEnd + 1))
      add(fields, entry.toString('utf8', at, lineEnd), entry.subarray(valueAt, valueEnd))
      at = valueEnd + 1
    }
  }
  return fields
}

/** The last line of a body may lack its line break. */
function orEnd(index: number, entry: Buffer): number {
  return index < 0 ? entry.length : index
}

function add(fields: Fields, name: string, bytes: Buffer): void {
  const value = textOf(name, bytes)
  const known = fields[name]
  if (known === undefined) fields[name] = value
  else if (Array.isArray(known)) known.push(value)
  else fields[name] = [known, value]
}

function textOf(name: string, bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString()
  return name === 'MESSAGE' ? bytes.toString('latin1') : bytesValue(bytes)
}
