/** Runs the tests of several files in this process. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { t as root } from 'tap'
import { projectRoot } from '../built.ts'
import { type Group, type GroupName, groups } from './groups.ts'

/** For all of them together; tap's own is meant for a file, ms. */
const timeoutMs = 900_000

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

/** The files of a group, in the order in which they run. */
export function testFilesOf({ folders, part: [part, parts] = [0, 1] }: Group): string[] {
  return testFilesIn(folders).filter((_, i) => i % parts === part)
}

/**
 * Runs the tests of all files of a group. Each is named by a comment before its tests, and one that cannot
 * be loaded fails alone. None begins before all are loaded: tap takes a process for done when nothing is
 * left to run for a moment.
 */
export async function runGroup(name: GroupName): Promise<void> {
  root.setTimeout(timeoutMs)
  await root.test('all files are loaded', async t => {
    for (const path of testFilesOf(groups[name])) {
      root.comment(path)
      try {
        await import(pathToFileURL(join(projectRoot, path)).href)
      } catch (error) {
        t.fail(`${path} cannot be loaded`, { error })
      }
    }
  })
}
