/** An ordinary run has each file of tests once, in a process of its own or together with others. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { groups } from './batches/groups.ts'
import { testFilesIn, testFilesOf } from './batches/run-group.ts'
import { projectRoot } from './built.ts'

const groupedFiles = Object.values(groups).flatMap(testFilesOf)

t.test('what .taprc leaves out is what runs together, and each of it once', async t => {
  const settings = readFileSync(join(projectRoot, '.taprc'), 'utf8')
  const leftOut = [...settings.matchAll(/^ {2}- "test\/(\w+)\/\*\*"$/gm)].map(
    ([, folder]) => folder,
  )
  const folders = new Set(Object.values(groups).flatMap(group => group.folders))
  t.same(leftOut.sort(), [...folders].sort())
  t.same(groupedFiles.toSorted(), testFilesIn([...folders]).sort())
})

t.test('each group has a file that runs it', async t => {
  t.same(
    testFilesIn(['batches']),
    Object.keys(groups).map(name => `test/batches/${name}.test.ts`),
  )
  for (const name of Object.keys(groups)) {
    const source = readFileSync(join(projectRoot, `test/batches/${name}.test.ts`), 'utf8')
    t.match(source, `runGroup('${name}')`)
  }
})

t.test('what a file sets for its whole process is not set for those beside it', async t => {
  const forAll = /^\S.*\bt\.testdir\(|^t\.(before|beforeEach|after|afterEach|jobs)\b|^await t\./m
  const remedy = 'say it within a test; a service comes from sharedService or serviceOfProcess'
  for (const path of groupedFiles) {
    const source = readFileSync(join(projectRoot, path), 'utf8')
    t.equal(forAll.exec(source)?.[0], undefined, `${path}: ${remedy}`)
  }
})
