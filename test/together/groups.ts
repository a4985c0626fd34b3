/**
 * Folders of tests that share a process in an ordinary run (`together/NAME.test.ts`), one file after the
 * other, because what a process costs before its first test is more than most of these files take: 0.4 s,
 * and 1.5 with a server in it. `.taprc` leaves the files themselves out. Of `web`, the tests in a browser
 * have processes of their own (`web/looks.ts`).
 */
export const groups = {
  bench: ['bench', 'demo'],
  catalog: ['catalog'],
  cli: ['cli'],
  columns: ['columns', 'match', 'schema'],
  http: ['http'],
  ingest: ['ingest', 'config', 'observe'],
  language: ['language', 'journal', 'disk'],
  page: ['web'],
  query: ['query'],
  segment: ['segment', 'format', 'index', 'lmdb', 'threads'],
  service: ['service', 'clients'],
  store: ['store'],
} as const satisfies Readonly<Record<string, readonly string[]>>
