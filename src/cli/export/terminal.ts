/** An export shown on a terminal: the same text, but nothing in it can act on the terminal. */
import { Transform } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { printableJson, printableLines } from '../printable.ts'

/** A stream that lets no control sequence of a record through to a terminal. */
export function terminalFilter(format: 'ndjson' | 'csv'): Transform {
  const decoder = new StringDecoder('utf8')
  let held = ''
  const safe = (text: string) =>
    // RFC 4180 ends lines with CR LF, which is no control sequence.
    format === 'ndjson' ? printableJson(text) : printableLines(text.replaceAll('\r\n', '\n'))
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const text = held + decoder.write(chunk)
      held = text.endsWith('\r') ? '\r' : ''
      done(null, safe(held === '' ? text : text.slice(0, -1)))
    },
    flush(done) {
      done(null, safe(held + decoder.end()))
    },
  })
}
