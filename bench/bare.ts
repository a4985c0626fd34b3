/**
 * The least that a server on this platform can do with an event: the ceiling for `ingest.ts`.
 *
 *     node bench/bare.ts read     reads the body and answers
 *     node bench/bare.ts parse    reads the body, parses it as JSON and answers
 *
 * Runs as a child process like the service itself, with the same answer.
 */
import { App, type HttpResponse, us_socket_local_port } from 'uWebSockets.js'

const mode = process.argv[2]
if (mode !== 'read' && mode !== 'parse') {
  throw new Error(`expected "read" or "parse", was ${JSON.stringify(mode)}`)
}
const handleBody =
  mode === 'read'
    ? (body: Buffer) => body.length
    : (body: Buffer) => JSON.parse(body.toString('utf8')) as unknown

function answer(res: HttpResponse, body: Buffer): void {
  handleBody(body)
  res.writeHeader('Content-Type', 'application/json').end('{"accepted":1}')
}

App()
  .post('/*', res => {
    let received: Buffer | undefined
    res.onAborted(() => {})
    res.onData((chunk, isLast) => {
      // The chunk's memory is ours only within this callback: answer now, or copy.
      const part = Buffer.from(chunk)
      const body = received === undefined ? part : Buffer.concat([received, part])
      if (isLast) {
        answer(res, body)
      } else {
        received = received === undefined ? Buffer.from(body) : body
      }
    })
  })
  .listen('127.0.0.1', 0, socket => {
    if (socket === false) {
      throw new Error('no free port')
    }
    console.log(`listening on http://127.0.0.1:${us_socket_local_port(socket)}`)
  })

process.once('SIGTERM', () => process.exit(0))
