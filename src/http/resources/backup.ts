/**
 * Holds a snapshot of the data directory for whoever backs it up: as long as the answer is being sent, the
 * snapshot is there. The answer says its name, and nothing but that travels: whoever copies it must be
 * able to read the directory by himself, so an API key alone gets nobody at the files.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import type { HttpDependencies } from '../dependencies.ts'
import { jsonAnswer } from '../openapi/operation.ts'
import type { DescribedRoute } from '../route.ts'

/** How often the answer says that the snapshot is still there: so a client that is gone is noticed. */
const sayEveryMs = 2_000

const snapshotSchema = Type.Object({
  snapshot: Type.String({ description: 'The name of its directory below `snapshots/`.' }),
  files: Type.Integer({ minimum: 0 }),
  bytes: Type.Integer({ minimum: 0, description: 'Of all its files.' }),
})

export function backupRoutes({
  snapshots,
}: Pick<HttpDependencies, 'snapshots'>): readonly DescribedRoute[] {
  return [
    {
      method: 'POST',
      path: '/api/v1/settings/backup',
      access: 'admin',
      body: 'json',
      about: {
        id: 'holdSnapshot',
        tag: 'Settings',
        summary: 'Hold a snapshot for a backup',
        description: `What \`logstrata backup\` uses. Takes a snapshot of everything that was acknowledged so far and holds
it below \`snapshots/\` in the data directory, as links that take no space, for as long as the answer is read:
the same line comes every two seconds. It is removed when the client goes or the service stops. The files
do not travel; who copies them needs to be able to read the directory. One at a time.`,
        body: { contents: jsonAnswer('', Type.Object({})).contents! },
        answers: {
          200: {
            description: 'Lines until somebody ends it.',
            contents: { 'application/x-ndjson': { schema: Type.String(), lines: snapshotSchema } },
          },
        },
        problems: ['backup_under_way', 'storage_full', 'storage_failed'],
        sample: { options: '-N', body: {} },
      },
      handle: ({ signal }) => ({
        status: 200,
        contentType: 'application/x-ndjson',
        headers: [['X-Accel-Buffering', 'no']],
        stream: held(snapshots, signal()),
        isLive: true,
      }),
    },
  ]
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
