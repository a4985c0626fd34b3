/** An ordinary run has each file of tests once, in a process of its own or together with others. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { projectRoot } from './built.ts'
import { groups } from './together/groups.ts'
import { testFilesIn } from './together/run-together.ts'

t.test('what .taprc leaves out is what runs together, and each of it once', async t => {
  const settings = readFileSync(join(projectRoot, '.taprc'), 'utf8')
  const leftOut = [
    ...settings.matchAll(/^ {2}- "test\/(\w+)\/\*\*(?:\/!\(\*\.browser\)\.test\.ts)?"$/gm),
  ].map(([, folder]) => folder)
  const inGroups = Object.values(groups).flat()
  t.same(leftOut.sort(), [...inGroups].sort())
  t.equal(new Set(inGroups).size, inGroups.length)
})

t.test('each group has a file that runs it', async t => {
  t.same(
    testFilesIn(['together']),
    Object.keys(groups).map(name => `test/together/${name}.test.ts`),
  )
  for (const name of Object.keys(groups)) {
    const source = readFileSync(join(projectRoot, `test/together/${name}.test.ts`), 'utf8')
    t.match(source, `runTogether(groups.${name})`)
  }
})

t.test('what a file sets for its whole process is not set for those beside it', async t => {
  const forAll = /^\S.*\bt\.testdir\(|^t\.(before|beforeEach|after|afterEach|jobs)\b|^await t\./m
  const remedy = 'say it within a test; a service comes from sharedService or serviceOfProcess'
  for (const path of testFilesIn(Object.values(groups).flat())) {
    const source = readFileSync(join(projectRoot, path), 'utf8')
    t.equal(forAll.exec(source)?.[0], undefined, `${path}: ${remedy}`)
  }
})
