import { readdirSync } from 'node:fs'
import t from 'tap'
import { browserTestEnding, lookOfRun, looks, looksOfFiles } from './looks.ts'

const files = readdirSync(new URL('.', import.meta.url))
  .filter(name => name.endsWith(browserTestEnding))
  .map(name => name.slice(0, -browserTestEnding.length))

t.test('every file of browser tests has a look, and no other has', async t => {
  t.same(Object.keys(looksOfFiles).toSorted(), files.toSorted())
})

t.test('an ordinary run has all looks of the log viewer, the dashboards and the rest', async t => {
  const partOf = (name: string) => /^(logs|query|chart)/.exec(name)?.[0] ?? name.split('-')[0]
  const logs = ['logs', 'query', 'chart']
  const parts: readonly [string, (part: string | undefined) => boolean][] = [
    ['log viewer', part => logs.includes(part ?? '')],
    ['dashboards', part => part === 'dashboards'],
    ['rest', part => part !== 'dashboards' && !logs.includes(part ?? '')],
  ]
  for (const [name, isIn] of parts) {
    const own = Object.entries(looksOfFiles).filter(([file]) => isIn(partOf(file)))
    const covered = new Set(own.map(([, look]) => look))
    for (const look of looks) t.ok(covered.has(look), `${name} ${look}`)
  }
})

t.test('a run has the look that is asked for, or else the one of the file', async t => {
  t.equal(lookOfRun('/a/frame.browser.test.ts'), 'light-desktop')
  t.equal(lookOfRun('/a/frame.browser.test.ts', ''), 'light-desktop')
  t.equal(lookOfRun('/a/frame.browser.test.ts', 'dark-phone'), 'dark-phone')
  t.equal(lookOfRun('/a/accessibility-phone.browser.test.ts', 'dark-phone'), 'all')
})

t.test('a look that there is not is refused, and a file without one', async t => {
  const refuses = (file: string, look: string) => t.throws(() => lookOfRun(file, look))
  refuses('frame.browser.test.ts', 'dark')
  refuses('frame.browser.test.ts', 'phone-dark')
  refuses('other.browser.test.ts', '')
  refuses('other.browser.test.ts', 'dark-phone')
})
