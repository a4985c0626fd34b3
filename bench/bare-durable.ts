/**
 * The least that a server on this machine can do with an event that is to be on disk before it is answered,
 * while a thread beside it never rests: `node bench/bare-durable.ts FILE SECONDS`. What `bodies.ts` asks of
 * the service is asked of this, too: what is late here is late because of the machine.
 *
 * A body that comes in one piece and is not encoded is an event: written to FILE and synced with all that
 * came meanwhile, in calls of libuv's threads, as the journal does. Every other body is read, thrown away and
 * refused. The first of these starts one thread, as urgent as those of the service that read large
 * bodies, that counts for so many seconds: on two cores the service has one such thread at work.
 */

import { App, type HttpResponse, us_socket_local_port } from 'uWebSockets.js'
import { open } from 'node:fs/promises'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { beLessUrgent } from '../src/threads/urgency.ts'

/** That of `src/ingest/encode-pool.ts`. */
const niceness = 5

if (isMainThread) await serve(process.argv[2]!, Number(process.argv[3]))
else neverRest(workerData as number)

async function serve(path: string, seconds: number): Promise<void> {
  const file = await open(path, 'w')
  let waiting: { readonly res: HttpResponse; readonly event: Buffer }[] = []
  let isCommitting = false
  let isBusy = false

  const commit = async () => {
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      await file.writev(group.map(({ event }) => event))
      await file.datasync()
      for (const { res } of group) {
        res.cork(() => res.writeHeader('Content-Type', 'application/json').end('{"accepted":1}'))
      }
    }
    isCommitting = false
  }
  const add = (res: HttpResponse, event: Buffer) => {
    waiting.push({ res, event })
    if (isCommitting) return
    isCommitting = true
    setImmediate(commit)
  }
  const refuse = (res: HttpResponse) => {
    res.cork(() => res.writeStatus('429 Too Many Requests').writeHeader('Retry-After', '30').end())
    if (isBusy) return
    isBusy = true
    new Worker(new URL(import.meta.url), { workerData: seconds }).unref()
  }

  App()
    .post('/*', (res, req) => {
      const isHeavy = req.getHeader('content-encoding') !== ''
      res.onAborted(() => {})
      res.onData((chunk, isLast) => {
        if (!isLast) return
        if (isHeavy) refuse(res)
        else add(res, Buffer.from(chunk.slice(0)))
      })
    })
    .listen('127.0.0.1', 0, socket => {
      if (socket === false) throw new Error('no free port')
      console.log(`listening on http://127.0.0.1:${us_socket_local_port(socket)}`)
    })
  process.once('SIGTERM', () => process.exit(0))
}

/** Only counts, without a call of the system. */
function neverRest(seconds: number): void {
  beLessUrgent(niceness)
  const endAt = performance.now() + seconds * 1000
  for (let count = 0; ; count++) if (count % 1_000_000 === 0 && performance.now() > endAt) return
}
