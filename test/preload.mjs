/** Loaded before all else in each test process (`.taprc`). */
import module from 'node:module'
import { isMainThread } from 'node:worker_threads'

// tap registers loaders to know which files a test imports; Node runs those in a thread of their own,
// again for each worker thread that the test starts: 150 ms of a core each. Nobody asks for that list
// here, and no test mocks imports.
module.register = () => {}
module.syncBuiltinESMExports()
delete process.env.NODE_OPTIONS // For this process only: a child may run in another directory.

// tap undoes in the order of first use. A test that says `open(t.testdir())` and then how to close it
// would have its directory removed while the store or service is still writing there, and fail now
// and then for a directory that is not empty. So closing always comes first.
if (isMainThread) {
  const { default: t } = await import('tap')
  const closeFirst = test => test.teardown(() => {})
  closeFirst(t)
  t.beforeEach(closeFirst)
}
