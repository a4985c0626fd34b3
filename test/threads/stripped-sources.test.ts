import module from 'node:module'
import { pathToFileURL } from 'node:url'
import { Piscina } from 'piscina'
import t, { type Test } from 'tap'
import { strippedSources, threadProgram } from '../../src/threads/stripped-sources.ts'

const fixture = (name: string) => new URL(`./fixtures/${name}.ts`, import.meta.url)
const tasks = fixture('tasks')

/** One thread that runs the program. */
function threadOf(t: Test, program: { filename: string; workerData?: unknown }): Piscina {
  const thread = new Piscina({ ...program, minThreads: 1, maxThreads: 1 })
  t.teardown(() => thread.destroy())
  return thread
}

// First, because Node warns only once in a process.
t.test(
  'stripping follows imports of values, through any number of files, without a word',
  async t => {
    const warnings = t.capture(process, 'emitWarning')
    const directory = t.testdir({
      'entry.ts': [
        `import type { T } from './types.ts'`,
        `import {\n  a,\n  type B,\n} from './deep/a.ts'`,
        `import './effect.ts'`,
        `export * from './entry.ts'`,
        `export const x: T = a`,
      ].join('\n'),
      'types.ts': 'export type T = number',
      'effect.ts': '',
      deep: { 'a.ts': `export { b as a } from '../b.ts'\nexport type B = 1` },
      'b.ts': 'export const b: number = 1',
    })
    const entry = pathToFileURL(`${directory}/entry.ts`)
    const sources = strippedSources(entry) ?? {}
    const names = Object.keys(sources).map(url => url.slice(new URL('.', entry).href.length))
    t.same(names.sort(), ['b.ts', 'deep/a.ts', 'effect.ts', 'entry.ts'])
    t.equal(sources[new URL('./b.ts', entry).href], 'export const b         = 1')
    t.same(warnings(), [])
  },
)

t.test('no worker of the service loads the type stripper', async t => {
  const strips = async (name: string) => {
    const program = threadProgram(fixture(name), { cacheBytes: 0 })
    return threadOf(t, program).run(undefined, { name: 'hasStripper' })
  }
  t.equal(await strips('scan-worker'), false)
  t.equal(await strips('ingest-worker'), false)
  t.equal(await strips('seal-worker'), false)
  t.equal(await strips('tail-worker'), false)
  const plain = threadOf(t, { filename: tasks.href })
  t.equal(await plain.run(undefined, { name: 'hasStripper' }), true, 'a thread without help does')
})

t.test('tasks are called by name or by default, and find their own worker data', async t => {
  const thread = threadOf(t, threadProgram(tasks, { cacheBytes: 7 }))
  t.equal(await thread.run(21), 42)
  t.match(await thread.run(undefined, { name: 'given' }), { cacheBytes: 7 })
})

t.test('a thread does not import again what the process was told to import first', async t => {
  const flagsOf = (program: { filename: string }) =>
    threadOf(t, program).run(undefined, { name: 'flags' })
  t.match(await flagsOf({ filename: tasks.href }), [/^--import=/], 'as all tests are run')
  t.same(await flagsOf(threadProgram(tasks)), [])
})

t.test('a stack trace names the lines and columns of the files', async t => {
  const stackOf = async (program: { filename: string }) => {
    const run = threadOf(t, program).run(undefined, { name: 'fail' })
    const error = await run.catch((error: Error) => error)
    return error.stack.match(/tasks\.ts:\d+:\d+/)?.[0]
  }
  const inTheFile = await stackOf({ filename: tasks.href })
  t.match(inTheFile, /^tasks\.ts:\d+:\d+$/)
  t.equal(await stackOf(threadProgram(tasks)), inTheFile)
})

t.test('where sources cannot be stripped, the thread is given the file itself', async t => {
  const directory = t.testdir({
    'broken.ts': 'export const x: = 1',
    'lonely.ts': `import './missing.ts'`,
  })
  const fallsBack = (entry: URL) => {
    const workerData = { cacheBytes: 7 }
    const program = { filename: entry.href, workerData, execArgv: [] }
    t.same(threadProgram(entry, workerData), program)
  }
  fallsBack(pathToFileURL(`${directory}/broken.ts`))
  fallsBack(pathToFileURL(`${directory}/lonely.ts`))
  t.intercept(module, 'registerHooks', { value: undefined })
  fallsBack(tasks)
  t.equal(await threadOf(t, threadProgram(tasks)).run(21), 42)
})
