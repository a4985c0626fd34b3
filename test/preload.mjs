/** Loaded before all else in each test process (`.taprc`). */
import { hash } from 'node:crypto'
import fs from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

// tap records which files a test imports: by hooks, which Node runs in a thread of their own, and by its
// own import in every process that a test starts, again with that thread, in each worker thread of it,
// too. Of a service that was more than half of the time of a processor that its start took. Nobody asks
// for that list here, and no test mocks imports. tap leaves alone what is here already.
globalThis[Symbol.for('@tapjs/processinfo.ProcessInfoNodeData')] = { files: [] }
module.register = () => {}
module.syncBuiltinESMExports()
// Where types are only blanked out, places are right without maps.
process.setSourceMapsEnabled(false)
delete process.env.NODE_OPTIONS // For this process only: a child may run in another directory.

// Most of what a short process does is to compile the same sources again. (Counts of coverage are less
// exact for what was compiled before.)
if (process.env.NODE_V8_COVERAGE === undefined) {
  const cache = join(import.meta.dirname, '../.tap/compile-cache')
  process.env.NODE_COMPILE_CACHE ??= cache
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE)

  // Threads run what is built of the same sources. (Coverage is counted of the sources themselves.)
  const builtThreads = new URL('./built-threads.ts', import.meta.url).href
  module.registerHooks({
    resolve: (specifier, context, next) =>
      specifier.endsWith('/threads/program.ts')
        ? { url: builtThreads, format: 'module-typescript', shortCircuit: true }
        : next(specifier, context),
    // Node strips types anew in each process: half a second of the 250 files behind a store.
    load: (url, context, next) =>
      context.format === 'module-typescript' && url.startsWith('file:')
        ? { format: 'module', source: withoutTypes(fileURLToPath(url), cache), shortCircuit: true }
        : next(url, context),
  })
}

/** The source of a file without its types, as kept in `directory` since the file was last changed. */
function withoutTypes(path, directory) {
  const { mtimeMs, size } = fs.statSync(path)
  const name = `${hash('sha1', `${process.version} ${path} ${mtimeMs} ${size}`)}.js`
  const kept = join(directory, name)
  try {
    return fs.readFileSync(kept, 'utf8')
  } catch {
    const source = stripTypes(fs.readFileSync(path, 'utf8'))
    fs.mkdirSync(directory, { recursive: true })
    // Another process may read or write it meanwhile.
    fs.writeFileSync(`${kept}.${process.pid}`, source)
    fs.renameSync(`${kept}.${process.pid}`, kept)
    return source
  }
}

/** Node says of this call, not of the same done by import, that it may change: once in each process. */
function stripTypes(source) {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return module.stripTypeScriptTypes(source)
  } finally {
    process.emitWarning = emitWarning
  }
}

// tap undoes in the order of first use. A test that says `open(t.testdir())` and then how to close it
// would have its directory removed while the store or service is still writing there, and fail now
// and then for a directory that is not empty. So closing always comes first.
if (isMainThread) {
  const { default: t } = await import('tap')
  const closeFirst = test => test.teardown(() => {})
  closeFirst(t)
  t.teardown(endSoon)
  t.beforeEach(closeFirst)
}

/** A process that stays alive after its last test would be ended by its timeout, minutes later, without a reason. */
function endSoon() {
  const patienceMs = Number(process.env.LOGSTRATA_TEST_END_MS ?? 30_000)
  const giveUp = () => {
    console.error(`left open after all tests: ${process.getActiveResourcesInfo().join(', ')}`)
    process.exit(1)
  }
  setTimeout(giveUp, patienceMs).unref()
}
