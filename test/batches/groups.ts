/**
 * Folders of tests that share a process in an ordinary run (`batches/NAME.test.ts`), one file after the
 * other, because what a process costs before its first test is more than most of these files take: 0.4 s,
 * and 1.5 with a server in it. `.taprc` leaves the files themselves out. What would take more than a minute
 * is several processes. tap goes by names: those of this folder come first, and short ones are what is left at
 * the end. Of `web`, the tests in a browser have processes of their own here (`web/looks.ts`).
 */
export const groups = {
  alerts: { folders: ['alerts'] },
  bench: { folders: ['bench', 'demo'] },
  catalog: { folders: ['catalog'] },
  cli: { folders: ['cli'] },
  'clickhouse-1': { folders: ['clickhouse'], part: [0, 3] },
  'clickhouse-2': { folders: ['clickhouse'], part: [1, 3] },
  'clickhouse-3': { folders: ['clickhouse'], part: [2, 3] },
  columns: { folders: ['columns', 'match', 'schema'] },
  'faults-1': { folders: ['faults'], part: [0, 2] },
  'faults-2': { folders: ['faults'], part: [1, 2] },
  'http-1': { folders: ['http'], part: [0, 2] },
  'http-2': { folders: ['http'], part: [1, 2] },
  ingest: { folders: ['ingest', 'config', 'observe'] },
  language: { folders: ['language', 'journal', 'disk'] },
  page: { folders: ['web'] },
  query: { folders: ['query'] },
  segment: { folders: ['segment', 'format', 'index', 'lmdb', 'threads'] },
  'service-1': { folders: ['service', 'clients'], part: [0, 2] },
  'service-2': { folders: ['service', 'clients'], part: [1, 2] },
  'store-1': { folders: ['store'], part: [0, 2] },
  'store-2': { folders: ['store'], part: [1, 2] },
} as const satisfies Readonly<Record<string, Group>>

/** Tests of one process: all files in its folders, or of so many parts one, from 0 on: file by file in turn. */
export interface Group {
  readonly folders: readonly string[]
  readonly part?: readonly [part: number, parts: number]
}

export type GroupName = keyof typeof groups
