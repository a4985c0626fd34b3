import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openCatalog } from '../../../src/catalog/catalog.ts'
import { copiesDirectory, copyPath, listCopies } from '../../../src/catalog/copies/copy-files.ts'
import { keepCopy } from '../../../src/catalog/copies/keep-copy.ts'
import { runCommand } from '../../../src/cli/commands.ts'
import { gatherOutput, spawnService, startServiceOf } from '../../service/service-process.ts'
import { fakeTerminal } from '../fake-terminal.ts'

async function restore(...argv: string[]) {
  const terminal = fakeTerminal()
  const code = await runCommand(['restore-catalog', ...argv], terminal)
  return { code, complained: terminal.complained() }
}

/** A catalog with a copy, and a key that was made after it. */
async function catalogIn(t: Test) {
  const dataDir = t.testdir()
  const catalog = await openCatalog({ dataDir, now: Date.now })
  const { key: before } = await catalog.apiKeys.create({ name: 'before', role: 'admin' })
  const copy = copyPath(dataDir, Date.UTC(2026, 0, 2, 3, 4, 5))
  await keepCopy(dataDir, copy, path => catalog.copyTo(path))
  const { key: after } = await catalog.apiKeys.create({ name: 'after', role: 'admin' })
  await catalog.close()
  const path = join(dataDir, 'catalog.lmdb')
  const finds = async () => {
    const { apiKeys, close } = await openCatalog({ dataDir, now: Date.now })
    const found = [before, after].map(key => apiKeys.find(key) !== undefined)
    await close()
    return found
  }
  return { dataDir, path, copy, finds }
}

t.test('the newest copy is put back, and what was there is kept', async t => {
  const { dataDir, path, copy, finds } = await catalogIn(t)
  t.same(await finds(), [true, true])
  const damaged = fs.readFileSync(path).fill(0xa5, 0, 64)
  fs.writeFileSync(path, damaged)
  // One that is newer, and of no use.
  const useless = copyPath(dataDir, Date.UTC(2026, 0, 3))
  fs.writeFileSync(useless, damaged)
  const { code, complained } = await restore('--data-dir', dataDir)
  t.equal(code, 0, complained)
  t.match(complained, `restored ${path} from ${copy}`)
  const [replaced] = fs.readdirSync(copiesDirectory(dataDir)).filter(name => /^replaced/.test(name))
  t.match(complained, `what was there is kept as ${copiesDirectory(dataDir)}/${replaced}`)
  t.same(fs.readFileSync(join(copiesDirectory(dataDir), replaced!)), damaged)
  t.equal(fs.statSync(path).mode & 0o777, 0o600)
  t.notOk(fs.existsSync(join(dataDir, 'LOCK')))
  t.same(await finds(), [true, false])
})

t.test('any copy may be named, also where there is no catalog, or something else', async t => {
  const { dataDir, path, copy, finds } = await catalogIn(t)
  fs.rmSync(path)
  t.match(await restore('--data-dir', dataDir, '--from', copy), { code: 0 })
  t.same(await finds(), [true, false])
  fs.rmSync(path)
  fs.mkdirSync(path)
  t.match(await restore('--data-dir', dataDir, '--from', copy), { code: 0 })
  t.same(await finds(), [true, false])
})

t.test('a copy that is no good is refused, and nothing is changed', async t => {
  const { dataDir, path, copy } = await catalogIn(t)
  const before = fs.readFileSync(path)
  const refuses = async (expected: RegExp, code: number, ...argv: string[]) => {
    const answer = await restore(...argv)
    t.match(answer.complained, expected)
    t.equal(answer.code, code)
    t.same(fs.readFileSync(path), before)
  }
  await refuses(/nothing is there/, 1, '--data-dir', dataDir, '--from', `${copy}.not`)
  fs.truncateSync(copy, 9_000)
  await refuses(/the end of the file is missing/, 1, '--data-dir', dataDir, '--from', copy)
  await refuses(/no copy that is whole in .*catalog-copies/, 1, '--data-dir', dataDir)
  await refuses(/no data directory/, 2, '--data-dir', join(dataDir, 'not'))
  await refuses(/unexpected argument/, 2, '--data-dir', dataDir, copy)
  t.equal(fs.existsSync(join(dataDir, 'catalog.lmdb.new')), false)
})

t.test('a service that cannot use its catalog says the very command that helps', async t => {
  const dataDir = t.testdir()
  const first = await startServiceOf(t, dataDir)
  await first.makeToken()
  while (listCopies(dataDir).length === 0) await sleep(20)
  t.match(await restore('--data-dir', dataDir), { code: 1, complained: /in use by.*stop it first/ })
  t.equal(await first.end(), 0)
  const path = join(dataDir, 'catalog.lmdb')
  const damaged = fs.readFileSync(path).fill(0xa5, 2 * 4_096)
  fs.writeFileSync(path, damaged)

  const child = spawnService(['--data-dir', dataDir])
  const { stderr } = await new Promise<{ stderr: string }>(resolve => {
    const output = gatherOutput(child)
    child.once('close', () => resolve(output))
  })
  t.equal(child.exitCode, 1)
  const command = /to restore it: (.*)$/m.exec(stderr)?.[1]
  if (command === undefined) return t.fail(stderr)
  const { status, stderr: said } = spawnSync('sh', ['-c', command], { encoding: 'utf8' })
  t.equal(status, 0, said)
  const again = await startServiceOf(t, dataDir)
  t.equal(again.output.stdout.includes('This is the first start'), false)
  t.equal((await again.query('logs')).status, 200, 'the admin key is there again')
  t.equal(await again.end(), 0)
})
