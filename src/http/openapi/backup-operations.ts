/** The document's words on backups. */

import { Type } from 'typebox'
import { jsonAnswer, type Operation } from './operation.ts'

const snapshotSchema = Type.Object({
  snapshot: Type.String({ description: 'The name of its directory below `snapshots/`.' }),
  files: Type.Integer({ minimum: 0 }),
  bytes: Type.Integer({ minimum: 0, description: 'Of all its files.' }),
})

export const backupOperations = {
  hold: {
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
} as const satisfies Record<string, Operation>
