/** What must be covered, and the tests that reach it. */

/** By the name of the area: folders and files below the project. */
export const coveredAreas: Readonly<Record<string, readonly string[]>> = {
  journal: ['src/journal'],
  store: ['src/store'],
  segment: ['src/segment'],
  index: ['src/index'],
  catalog: ['src/catalog'],
  access: [
    'src/http/access',
    'src/http/reply/common-headers.ts',
    'src/http/body/form.ts',
    'src/http/resources/session.ts',
  ],
}

/** Tests of the areas themselves, and of the whole service under faults and hostile input. */
export const testsThatMatter: readonly string[] = [
  'test/catalog',
  'test/disk',
  'test/faults',
  'test/format',
  'test/fuzz',
  'test/hostile',
  'test/http',
  'test/journal',
  'test/lmdb/file.test.ts',
  'test/query',
  'test/segment',
  'test/service',
  'test/store',
  'test/cli/inspect/inspect.test.ts',
  'test/cli/inspect/databases.test.ts',
]
