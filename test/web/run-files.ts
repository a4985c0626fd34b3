/** Runs several files of browser tests in this process: of a service and a browser that all of them share. */
import t from 'tap'
import { browserTestEnding, filesOfRuns, type Run } from './looks.ts'

/** For all of them together; tap's own is meant for a file, ms. */
const timeoutMs = 600_000

/** Registers the tests of the files of a run, in their order. */
export async function runFiles(run: Run): Promise<void> {
  t.setTimeout(timeoutMs)
  for (const name of filesOfRuns[run]) await import(`./${name}${browserTestEnding}`)
}
