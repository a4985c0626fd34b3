/** The space of a removed file comes back bit by bit, and only when nobody else can have the file. */
import fs from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { removeInSteps } from '../../src/disk/remove-in-steps.ts'

const mebibyte = 1024 * 1024

/** A file of 5 MiB, held open by a reader that looks at what is left of it. */
function heldFile(t: Test) {
  const directory = t.testdir()
  const path = `${directory}/file`
  fs.writeFileSync(path, Buffer.alloc(5 * mebibyte, 'x'))
  const fd = fs.openSync(path, 'r')
  t.teardown(() => fs.closeSync(fd))
  return { directory, path, size: () => fs.fstatSync(fd).size }
}

t.test('the name goes at once, the content in steps', async t => {
  const { path, size, directory } = heldFile(t)
  await removeInSteps(path)
  t.same(fs.readdirSync(directory), [])
  const sizes = new Set<number>()
  while (size() > mebibyte) {
    sizes.add(size())
    await pause(1)
  }
  t.ok(sizes.size > 1, `${[...sizes]}`)
})

t.test('content that has another name stays', async t => {
  const { path, size, directory } = heldFile(t)
  fs.linkSync(path, `${directory}/other`)
  await removeInSteps(path)
  await pause(200)
  t.same(fs.readdirSync(directory), ['other'])
  t.equal(size(), 5 * mebibyte)
})

t.test('what is not there is removed already; what cannot be removed is said', async t => {
  const directory = t.testdir({ some: {} })
  await removeInSteps(`${directory}/none`)
  await t.rejects(removeInSteps(`${directory}/some`), { code: 'ERR_FS_EISDIR' })
  t.same(fs.readdirSync(directory), ['some'])
})
