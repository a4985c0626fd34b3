/**
 * Folders of tests that share a process in an ordinary run (`batches/NAME.test.ts`), one file after the
 * other, because what a process costs before its first test is more than most of these files take: 0.4 s,
 * and 1.5 with a server in it. `.taprc` leaves the files themselves out. What would take more than a minute
 * is two processes. tap goes by names: those of this folder come first, and short ones are what is left at the
 * end. Of `web`, the tests in a browser have processes of their own here (`web/looks.ts`).
 */
export const groups = {
  alerts: { folders: ['alerts'] },
  bench: { folders: ['bench', 'demo'] },
  catalog: { folders: ['catalog'] },
  cli: { folders: ['cli'] },
  'clickhouse-1': { folders: ['clickhouse'], half: 0 },
  'clickhouse-2': { folders: ['clickhouse'], half: 1 },
  columns: { folders: ['columns', 'match', 'schema'] },
  'faults-1': { folders: ['faults'], half: 0 },
  'faults-2': { folders: ['faults'], half: 1 },
  'http-1': { folders: ['http'], half: 0 },
  'http-2': { folders: ['http'], half: 1 },
  ingest: { folders: ['ingest', 'config', 'observe'] },
  language: { folders: ['language', 'journal', 'disk'] },
  page: { folders: ['web'] },
  query: { folders: ['query'] },
  segment: { folders: ['segment', 'format', 'index', 'lmdb', 'threads'] },
  'service-1': { folders: ['service', 'clients'], half: 0 },
  'service-2': { folders: ['service', 'clients'], half: 1 },
  'store-1': { folders: ['store'], half: 0 },
  'store-2': { folders: ['store'], half: 1 },
} as const satisfies Readonly<Record<string, Group>>

/** Tests of one process: all files in its folders, or every other one, from the first (0) or second (1) on. */
export interface Group {
  readonly folders: readonly string[]
  readonly half?: 0 | 1
}

export type GroupName = keyof typeof groups
