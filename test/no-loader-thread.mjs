/**
 * Loaded before all else in each test process (`.taprc`). tap registers loaders to know which files a
 * test imports; Node runs those in a thread of their own, again for each worker thread that the test
 * starts: 150 ms of a core each. Nobody asks for that list here, and no test mocks imports.
 */
import module from 'node:module'

module.register = () => {}
module.syncBuiltinESMExports()
delete process.env.NODE_OPTIONS // For this process only: a child may run in another directory.
