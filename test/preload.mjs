/** Loaded before all else in each test process (`.taprc`). */
import './kept-code.mjs'
import module from 'node:module'
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

// Threads run what is built of the same sources. (Coverage is counted of the sources themselves.)
if (process.env.NODE_V8_COVERAGE === undefined) {
  const builtThreads = new URL('./built-threads.ts', import.meta.url).href
  module.registerHooks({
    resolve: (specifier, context, next) =>
      specifier.endsWith('/threads/program.ts')
        ? { url: builtThreads, format: 'module-typescript', shortCircuit: true }
        : next(specifier, context),
  })
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
