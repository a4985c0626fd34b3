/** What holds in every test of this directory: see `preload.mjs`. */
import fs from 'node:fs'
import t from 'tap'

t.test('what a test opened is closed before its directory is removed', async t => {
  let directory = ''
  let isThere = false
  await t.test('a test', async t => {
    directory = t.testdir({ file: 'x' })
    t.teardown(() => {
      isThere = fs.existsSync(`${directory}/file`)
    })
  })
  t.ok(isThere)
  t.notOk(fs.existsSync(directory))
})
