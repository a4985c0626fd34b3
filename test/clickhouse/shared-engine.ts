/** One engine for all tests of a process that need none of their own. */
import { t as root, type Test } from 'tap'
import { directoryOfProcess } from '../directory-of-process.ts'
import { type EngineProcess, type Places, startEngine } from './engine-process.ts'

let shared: Promise<EngineProcess> | undefined

/**
 * Begun by the first that asks for it, which takes most of a second of a core; ends with the process. It has neither
 * tables nor faults: what a test makes in the default database is dropped behind it.
 */
export async function sharedEngine(t: Test): Promise<EngineProcess> {
  shared ??= engineOfProcess()
  const engine = await shared
  t.teardown(async () => {
    if (!engine.isAlive) await engine.start()
    await engine.setFaults({})
    await dropTables(engine)
  })
  return engine
}

/** The shared engine, and a data directory of the test's own. */
export async function sharedPlaces(t: Test): Promise<Places> {
  const directory = t.testdir({ data: {} })
  return { engine: await sharedEngine(t), dataDir: `${directory}/data` }
}

async function engineOfProcess(): Promise<EngineProcess> {
  const engine = await startEngine(directoryOfProcess('shared-engine'))
  root.teardown(() => engine.kill())
  return engine
}

/** The names of the tables in the default database. */
export async function tablesOf(engine: EngineProcess): Promise<string[]> {
  const found = await engine.ask(
    'SELECT name FROM system.tables WHERE database = currentDatabase()',
  )
  return found.split('\n').filter(name => name !== '')
}

/** Drops all tables of the default database. */
export async function dropTables(engine: EngineProcess): Promise<void> {
  for (const name of await tablesOf(engine)) await engine.ask(`DROP TABLE ${name} SYNC`)
}
