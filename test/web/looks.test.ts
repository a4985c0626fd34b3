import { readdirSync } from 'node:fs'
import t from 'tap'
import { browserTestEnding, filesOfRuns, lookOfRun, looks, runOf, runs } from './looks.ts'

const endingWith = (ending: string, folder = '.') =>
  readdirSync(new URL(folder, import.meta.url))
    .filter(name => name.endsWith(ending))
    .map(name => name.slice(0, -ending.length))

t.test('every file of browser tests is in one run, and each run is a file for tap', async t => {
  t.same(Object.values(filesOfRuns).flat().toSorted(), endingWith(browserTestEnding).toSorted())
  t.same(runs.toSorted(), endingWith('.browser.test.ts', '../batches').toSorted())
})

t.test('an ordinary run has all looks of the log viewer, the dashboards and the rest', async t => {
  const partOf = (name: string) => /^(logs|query|chart)/.exec(name)?.[0] ?? name.split('-')[0]
  const logs = ['logs', 'query', 'chart']
  const parts: readonly [string, (part: string | undefined) => boolean][] = [
    ['log viewer', part => logs.includes(part ?? '')],
    ['dashboards', part => part === 'dashboards'],
    ['rest', part => part !== 'dashboards' && !logs.includes(part ?? '')],
  ]
  for (const look of looks) {
    for (const [name, isIn] of parts) {
      t.ok(
        filesOfRuns[look].some(file => isIn(partOf(file))),
        `${name} ${look}`,
      )
    }
  }
})

t.test('a process has the look that is asked for, or else the one of its file', async t => {
  t.equal(lookOfRun('/a/frame.browser.ts'), 'light-desktop')
  t.equal(lookOfRun('/a/frame.browser.ts', ''), 'light-desktop')
  t.equal(lookOfRun('/a/frame.browser.ts', 'dark-phone'), 'dark-phone')
  t.equal(lookOfRun('/a/light-phone.browser.test.ts'), 'light-phone')
  t.equal(lookOfRun('/a/light-phone.browser.test.ts', 'dark-phone'), 'dark-phone')
  t.equal(lookOfRun('/a/accessibility-frame.browser.ts', 'dark-phone'), 'all')
  t.equal(lookOfRun('/a/accessibility.browser.test.ts'), 'all')
  t.equal(runOf('frame'), 'light-desktop')
})

t.test('a look that there is not is refused, and a file without one', async t => {
  const refuses = (file: string, look: string) => t.throws(() => lookOfRun(file, look))
  refuses('frame.browser.ts', 'dark')
  refuses('frame.browser.ts', 'phone-dark')
  refuses('other.browser.ts', '')
  refuses('other.browser.ts', 'dark-phone')
})
