/** Loaded before all else in each test process (`.taprc`). */
import module from 'node:module'
import { join } from 'node:path'
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
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../.tap/compile-cache')
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE)
}

// tap undoes in the order of first use. A test that says `open(t.testdir())` and then how to close it
// would have its directory removed while the store or service is still writing there, and fail now
// and then for a directory that is not empty. So closing always comes first.
if (isMainThread) {
  const { default: t } = await import('tap')
  const closeFirst = test => test.teardown(() => {})
  closeFirst(t)
  t.beforeEach(closeFirst)
}
