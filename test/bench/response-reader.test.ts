/** What the client of the benchmarks reads, whatever pieces it comes in. */
import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import t from 'tap'
import { type Response, ResponseReader } from '../../bench/response-reader.ts'
import { forAll } from '../for-all.ts'

/** An answer as it goes over the wire, and what is to be read of it. */
interface Sent extends Response {
  readonly bytes: Buffer
}

const line = fc.constantFrom(
  'Content-Type: application/json',
  'X-A:',
  'x-b: \tc d ',
  'uWebSockets: 20',
)
const lines = fc.array(line, { maxLength: 3 })
const text = fc.string({ unit: 'grapheme', maxLength: 40 })

/** Where chunks of a body begin, as shares of its length. */
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 })

function partsOf(bytes: Buffer, shares: readonly number[]): Buffer[] {
  const at = shares.map(share => Math.floor(share * bytes.length)).sort((a, b) => a - b)
  const ends = [...at, bytes.length]
  return ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end))
}

const sent: fc.Arbitrary<Sent> = fc
  .record({
    status: fc.constantFrom(200, 201, 308, 404, 503),
    body: text,
    before: lines,
    after: lines,
    isLast: fc.boolean(),
    chunks: fc.option(cuts, { nil: undefined }),
  })
  .map(({ status, body, before, after, isLast, chunks }) => {
    const bytes = Buffer.from(body)
    const framing =
      chunks === undefined ? `content-length: ${bytes.length}` : 'Transfer-Encoding: chunked'
    const last = isLast ? ['Connection: close'] : []
    const head = [`HTTP/1.1 ${status} Some Words`, ...before, framing, ...last, ...after, '', '']
    const pieces =
      chunks === undefined
        ? [bytes]
        : [
            ...partsOf(bytes, chunks)
              .filter(({ length }) => length > 0)
              .flatMap(part => [
                Buffer.from(`${part.length.toString(16)}\r\n`),
                part,
                Buffer.from('\r\n'),
              ]),
            Buffer.from('0\r\n\r\n'),
          ]
    return {
      status,
      body,
      isLast,
      bytes: Buffer.concat([Buffer.from(head.join('\r\n')), ...pieces]),
    }
  })

t.test('answers are read wherever their bytes are cut', t => {
  const some = fc.array(sent, { minLength: 1, maxLength: 3 })
  forAll({ numRuns: 1_000 }, some, cuts, (answers, cuts) => {
    const reader = new ResponseReader()
    const memory = Buffer.alloc(4096) // As on a connection, where all pieces come in the same.
    return answers.every(({ bytes, ...expected }) => {
      const read = partsOf(bytes, cuts).map(piece => {
        memory.fill(0xff)
        piece.copy(memory)
        return reader.take(memory.subarray(0, piece.length))
      })
      return isDeepStrictEqual(
        read.filter(answer => answer !== undefined),
        [expected],
      )
    })
  })
  t.end()
})

t.test('so they are byte by byte, and when an answer has no body', t => {
  const reads = (bytes: string, expected: Response) => {
    const reader = new ResponseReader()
    const found = Array.from(Buffer.from(bytes), byte => reader.take(Buffer.of(byte)))
    t.strictSame(found.pop(), expected)
    t.ok(found.every(answer => answer === undefined))
  }
  reads('HTTP/1.1 204 No Content\r\n\r\n', { status: 204, body: '', isLast: false })
  reads('HTTP/1.1 304\r\nContent-Length: 7\r\n\r\n', { status: 304, body: '', isLast: false })
  reads('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', { status: 200, body: '', isLast: false })
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\nConnection: Close\r\n\r\n'
  reads(`${chunked}A\r\n0123456789\r\n00\r\n\r\n`, {
    status: 200,
    body: '0123456789',
    isLast: true,
  })
  t.end()
})

t.test('what is no such answer is refused', t => {
  const refuses = (bytes: string, message: RegExp) =>
    t.throws(() => new ResponseReader().take(Buffer.from(bytes)), { message })
  const head = (...lines: readonly string[]) => `HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\n\r\n`
  refuses('HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n', /began "HTTP\/1.0 200 OK"/)
  refuses('HTTP/1.1 100 Continue\r\n\r\n', /began "HTTP\/1.1 100/)
  refuses('HTTP/1.1 2000\r\nContent-Length: 0\r\n\r\n', /began/)
  refuses(head('Server: x'), /does not say where it ends/)
  refuses(head('no header'), /a header is "no header"/)
  refuses(head('Content-Length: 1', 'Content-Length: 1'), /a length/)
  refuses(head('Content-Length: -1'), /a length/)
  refuses(head('Content-Length: 999999999999999'), /too large/)
  refuses(head('Transfer-Encoding: gzip'), /an encoding/)
  refuses(head('Content-Length: 1', 'Transfer-Encoding: chunked'), /both/)
  refuses(`${head('Content-Length: 1')}ab`, /1 bytes came behind/)
  const chunked = head('Transfer-Encoding: chunked')
  refuses(`${chunked}x\r\n`, /a chunk began "x"/)
  refuses(`${chunked}1;name=value\r\n`, /a chunk began/)
  refuses(`${chunked}1\r\nab\r\n`, /end within 2 bytes/)
  refuses(`${chunked}0\r\nTrailer: x\r\n\r\n`, /end within 2 bytes/)
  refuses(`${chunked}0\r\n\r\nHTTP`, /4 bytes came behind/)
  refuses('a'.repeat(65_537), /within 65536 bytes/)
  refuses(`${chunked}${'0'.repeat(1_025)}`, /within 1024 bytes/)
  t.end()
})
