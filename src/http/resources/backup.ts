/**
 * Holds a snapshot of the data directory for whoever backs it up: as long as the answer goes on, the
 * snapshot is there. The answer says its name, and nothing but that travels: whoever copies it must be
 * able to read the directory by himself, so an API key alone gets nobody at the files.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpDependencies } from '../dependencies.ts'
import type { Reply } from '../reply/reply.ts'
import type { JsonRequest } from '../routes.ts'

/** How often the answer says that the snapshot is still there: so a client that is gone is noticed. */
const sayEveryMs = 2_000

export function backupHandlers({ snapshots }: Pick<HttpDependencies, 'snapshots'>) {
  return {
    hold({ signal }: JsonRequest): Reply {
      return {
        status: 200,
        contentType: 'application/x-ndjson',
        headers: [['X-Accel-Buffering', 'no']],
        stream: held(snapshots, signal()),
        isLive: true,
      }
    },
  }
}

/** The snapshot is taken with the first line, so that an answer that is never begun holds none. */
async function* held(
  snapshots: HttpDependencies['snapshots'],
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { name, fileCount, bytes, release } = await snapshots.take()
  const line = `${JSON.stringify({ snapshot: name, files: fileCount, bytes })}\n`
  try {
    while (!signal.aborted) {
      yield line
      await sleep(sayEveryMs, undefined, { signal })
    }
  } finally {
    await release()
  }
}
