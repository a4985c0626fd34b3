/** Runs the tests of several files in this process. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { t as root } from 'tap'
import { projectRoot } from '../built.ts'

/** For all of them together; tap's own is meant for a file, ms. */
const timeoutMs = 600_000
/** How long a process that has run all of its tests may take to end, ms. */
const endMs = 20_000

/**
 * The files of tests in folders of `test/`, and in those below, as paths from the project's root; without
 * those that run in a browser.
 */
export function testFilesIn(folders: readonly string[]): string[] {
  return folders.flatMap(folder =>
    readdirSync(join(projectRoot, 'test', folder), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.test.ts') && !name.endsWith('.browser.test.ts'))
      .sort()
      .map(name => `test/${folder}/${name}`),
  )
}

/**
 * Runs the tests of all files in `folders`. Each is named by a comment before its tests, and one that cannot
 * be loaded fails alone. None begins before all are loaded: tap takes a process for done when nothing is
 * left to run for a moment.
 */
export async function runTogether(folders: readonly string[]): Promise<void> {
  root.setTimeout(timeoutMs)
  root.teardown(() => setTimeout(complainOfWhatIsOpen, endMs).unref())
  await root.test('all files are loaded', async t => {
    for (const path of testFilesIn(folders)) {
      root.comment(path)
      try {
        await import(pathToFileURL(join(projectRoot, path)).href)
      } catch (error) {
        t.fail(`${path} cannot be loaded`, { error })
      }
    }
  })
}

/** A socket or a timer that a test has left open would keep the process until tap ends it, and say nothing. */
function complainOfWhatIsOpen(): void {
  const open = process.getActiveResourcesInfo().join(', ')
  console.error(`the tests have left open what keeps their process alive: ${open}`)
  process.exit(1)
}
