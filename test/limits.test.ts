/**
 * Each bound of `limits.ts` is tried by a test that names it, at the bound and one past it; those that no
 * other test tries are in `limits-bounds.test.ts`.
 */
import fs from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { limits } from '../src/limits.ts'

/** Bounds that are tried as numbers, as clients meet them, or under the name of what has them: by whom. */
const elsewhere: Partial<Record<keyof typeof limits, readonly [file: string, title: string]>> = {
  queryLimitDefault: [
    'http/resources/query/query.test.ts',
    'what is asked reaches the store, defaults filled in',
  ],
  topValuesDefault: [
    'http/resources/query/explore.test.ts',
    'what is asked reaches the store, defaults filled in',
  ],
  contextRecordsDefault: [
    'http/resources/query/explore.test.ts',
    'what is asked reaches the store, defaults filled in',
  ],
  patternsListedDefault: [
    'http/resources/query/explore.test.ts',
    'what is asked reaches the store, defaults filled in',
  ],
  tailLastDefault: [
    'http/resources/query/tail.test.ts',
    'a tail begins with the last ten, with so many, or behind an id',
  ],
  tailHeartbeatMs: ['http/resources/query/event-stream.test.ts', 'a quiet stream has a heartbeat'],
  tailBehindBytes: ['store/tail/pending.test.ts', 'behind a cut a new range begins'],
  queriesWaitingMax: [
    'http/resources/query/query-runner.test.ts',
    'as many wait as there is memory for, and the next is an overload',
  ],
  listenerConnectionsMax: [
    'listen/bounds.test.ts',
    'there are so many connections, and not one more',
  ],
  dashboardIdLengthMax: ['catalog/dashboard-checks.test.ts', 'an id is 1 to 128 letters'],
}

/** The words of all tests but this one. */
function wordsOfTests(): Set<string> {
  const files = fs.readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  const texts = files
    .filter(file => file.endsWith('.ts') && file !== 'limits.test.ts')
    .map(file => fs.readFileSync(join(import.meta.dirname, file), 'utf8'))
  return new Set(texts.flatMap(text => text.match(/\w+/g) ?? []))
}

t.test('each bound is tried somewhere', async t => {
  const words = wordsOfTests()
  for (const bound of Object.keys(limits) as (keyof typeof limits)[]) {
    const [file, title] = elsewhere[bound] ?? []
    if (file === undefined || title === undefined) {
      t.ok(words.has(bound), `${bound} is named by a test`)
      continue
    }
    t.notOk(words.has(bound), `${bound} needs no line here: it is named by a test`)
    const source = fs.readFileSync(join(import.meta.dirname, file), 'utf8')
    t.ok(source.includes(title), `${bound}: "${title}" is in ${file}`)
  }
})
