/** The state of storage, for every API key. */

import { Type } from 'typebox'
import type { HttpDependencies } from '../dependencies.ts'
import { jsonAnswer } from '../openapi/operation.ts'
import { jsonReply } from '../reply/reply.ts'
import type { DescribedRoute } from '../route.ts'
import { orNever, timestamp } from '../schemas/records.ts'
import { schemaOf } from '../schemas/schema-of.ts'
import { type StorageStats, storageStats } from './storage-stats.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const bound = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description })

const storageSchema = schemaOf<StorageStats>()(
  Type.Object({
    time: timestamp,
    journal: Type.Object(
      {
        records: count('Records in it.'),
        bytes: count('Its size.'),
        files: count('Its files.'),
        unsealedFiles: count('Closed files that wait to be sealed.'),
        pendingBytes: count('Bytes accepted and not yet on disk.'),
        lastCommitMs: Type.Number({
          minimum: 0,
          description: 'Duration of the last write with its sync, ms; 0 before the first.',
        }),
      },
      { description: 'What has arrived lately, as it arrived.' },
    ),
    segments: Type.Object(
      {
        records: count('Records in them.'),
        bytes: count('Their size.'),
        files: count('Their number.'),
      },
      { description: 'Everything older, sorted and compressed.' },
    ),
    disk: Type.Object(
      {
        freeBytes: count('Free for the service.'),
        totalBytes: count('Its size.'),
      },
      { description: 'The disk that has the data.' },
    ),
    quarantine: Type.Object(
      {
        files: count('Their number, since the directory was made.'),
        bytes: count('Their size.'),
      },
      {
        description:
          'Parts of the journal and of segments that could not be read. They are kept in `quarantine/` of the data directory until a person deletes them.',
      },
    ),
    retention: Type.Object(
      {
        ageMs: bound('Age beyond which records are deleted, ms; null: kept for ever.'),
        bytes: bound('Bytes of segments beyond which the oldest are deleted; null: no bound.'),
        deletedSegments: count('Segments deleted since the start.'),
      },
      { description: 'What is deleted, in whole segments.' },
    ),
    scrub: Type.Object(
      {
        bytes: count('Bytes read since the start.'),
        passes: count('Times that it has read all files.'),
        lastPassMs: Type.Number({ minimum: 0, description: 'How long the last of them took.' }),
        lastPassAt: orNever('When the last of them ended; null before that.'),
        findings: count('What was found damaged since the start, by whomever.'),
        damagedBlocks: count('Blocks that are left out of answers.'),
      },
      { description: 'The scrub, which reads all files again and again.' },
    ),
    backups: Type.Object(
      {
        lastAt: orNever('When the last backup since the start was begun; null: none was.'),
        catalogCopyAt: orNever('When the newest copy of the catalog was made.'),
      },
      {
        description:
          'What there is to go back to. Whether a backup came to its end, who took it knows.',
      },
    ),
    events: Type.Object(
      {
        accepted: count('Events stored.'),
        rejected: count('Events refused.'),
        bytes: count('Bytes of the bodies stored.'),
      },
      { description: 'Counts since the start: the difference of two answers is a rate.' },
    ),
    isReady: Type.Boolean({ description: 'Whether an event would be taken.' }),
    reasons: Type.Array(Type.String(), { description: 'What is wrong, as the health gives it.' }),
    queuedScans: count('Tasks of queries that wait for a thread.'),
  }),
)

export function storageRoutes({
  store,
  diskUsage,
  metrics,
  health,
  retention,
  snapshots,
  copies,
}: Pick<
  HttpDependencies,
  'store' | 'diskUsage' | 'metrics' | 'health' | 'retention' | 'snapshots' | 'copies'
>): readonly DescribedRoute[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/settings/storage',
      access: 'viewer',
      body: 'none',
      about: {
        id: 'showStorage',
        tag: 'Settings',
        summary: 'How storage stands',
        description: 'Size, retention, what has come in and what is waiting. For viewers too.',
        answers: { 200: jsonAnswer('The state at this moment.', storageSchema) },
        sample: {},
      },
      async handle() {
        const [totals, disk, reasons] = await Promise.all([
          metrics.totals(),
          diskUsage(),
          health.reasons(),
        ])
        const now = { time: Date.now(), store: store.stats(), reasons }
        const backups = {
          lastAt: snapshots.lastAt ?? null,
          catalogCopyAt: copies.newestAt() ?? null,
        }
        return jsonReply(
          storageStats({ ...now, disk, totals, backups, retention: retention.shown() }),
        )
      },
    },
  ]
}
