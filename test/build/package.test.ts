/** The package as it would be published: packed, installed into an empty directory, started, used. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { projectRoot } from '../built.ts'
import { isLong } from '../long-runs.ts'
import { endWithThisProcess } from '../service/end-with-this-process.ts'

const npm = (cwd: string, ...argv: string[]) =>
  execFileSync('npm', [...argv, '--loglevel=error'], { cwd, encoding: 'utf8' })

/**
 * Puts the package into a directory: by npm, when long runs are asked for. Else as npm would, in a tenth of
 * the time: with copies of our own packages, but for those of development, so that the lack of one is seen.
 */
/** Without what is said to tests alone, which the commands do not know. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('LOGSTRATA_'))
  return Object.fromEntries(own)
}

function install(directory: string, archive: string): void {
  if (isLong) {
    npm(directory, 'install', '--no-audit', '--no-fund', '--ignore-scripts', archive)
    return
  }
  const modules = join(directory, 'node_modules')
  const locked = JSON.parse(fs.readFileSync(join(projectRoot, 'package-lock.json'), 'utf8'))
  for (const [path, { dev }] of Object.entries<{ dev?: boolean }>(locked.packages)) {
    const isWanted = path.lastIndexOf('node_modules/') === 0 && dev !== true
    const from = join(projectRoot, path)
    // Those of other platforms are not there.
    if (isWanted && fs.existsSync(from)) fs.cpSync(from, join(directory, path), { recursive: true })
  }
  const own = join(modules, 'logstrata')
  fs.mkdirSync(own)
  execFileSync('tar', ['-xzf', join(directory, archive), '--strip-components=1', '-C', own])
  const { bin } = JSON.parse(fs.readFileSync(join(own, 'package.json'), 'utf8'))
  const program = join(own, bin.logstrata)
  fs.chmodSync(program, 0o755)
  fs.mkdirSync(join(modules, '.bin'))
  fs.symlinkSync(program, join(modules, '.bin', 'logstrata'))
}

t.test('npm pack gives a package that runs anywhere, without tests and sources', async t => {
  const directory = fs.mkdtempSync(join(fs.realpathSync('/tmp'), 'logstrata-package-'))
  t.teardown(() => fs.rmSync(directory, { recursive: true }))
  const [packed] = JSON.parse(npm(projectRoot, 'pack', '--json', '--pack-destination', directory))
  const names: string[] = packed.files.map(({ path }: { path: string }) => path)
  const isWanted =
    /^(README\.md|LICENSE|package\.json|build\/(server|web)\/|src\/(cli\/logstrata|memory-policy)\.js$)/
  t.same(
    names.filter(name => !isWanted.test(name)),
    [],
    'nothing else is in it',
  )
  const notices = 'THIRD-PARTY-NOTICES.txt'
  const built = ['server/main.js', 'web/manifest.json', `server/${notices}`, `web/${notices}`]
  for (const name of ['LICENSE', ...built.map(path => `build/${path}`)]) {
    t.ok(names.includes(name), name)
  }
  t.ok(packed.size < 3_300_000, `${packed.size} bytes`)

  fs.writeFileSync(join(directory, 'package.json'), '{"private":true}')
  install(directory, packed.filename)
  const service = spawn('npx', ['logstrata', '--port', '0'], {
    cwd: directory,
    detached: true, // So that all of it can be ended, whatever happens.
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      LOGSTRATA_ADMIN_KEY: 'key-of-the-package',
    },
  })
  endWithThisProcess(service)
  t.teardown(() => {
    try {
      process.kill(-service.pid!, 'SIGKILL')
    } catch {
      // It has ended, as it should.
    }
  })
  let url = ''
  for await (const line of createInterface({ input: service.stdout })) {
    url = /^listening on (\S+)$/.exec(line)?.[1] ?? ''
    if (url !== '') break
  }
  service.stdout.resume()
  const hasLock = () => fs.readdirSync(join(directory, 'data')).includes('LOCK')
  t.ok(hasLock(), 'its data lies where it was started')
  const logstrata = (...argv: string[]) =>
    execFileSync(join(directory, 'node_modules/.bin/logstrata'), argv, {
      cwd: directory,
      encoding: 'utf8',
      env: { ...ownEnvironment(), LOGSTRATA_URL: url, LOGSTRATA_KEY: 'key-of-the-package' },
    })
  const made = JSON.parse(
    logstrata('tokens', 'create', '--service', 'shop', '--environment', 'dev', '--json'),
  )
  const sent = await fetch(`${url}/api/v1/webhook/event/log`, {
    method: 'POST',
    headers: { authorization: `Bearer ${made.token}`, 'content-type': 'application/json' },
    body: '{"message":"from a package"}',
  })
  t.equal(sent.status, 200)
  t.match(logstrata('query', 'logs |= "package"', '--json'), /from a package/)
  t.match(await (await fetch(url)).text(), /<script/, 'the page is there')
  const { version } = JSON.parse(fs.readFileSync(join(projectRoot, 'package.json'), 'utf8'))
  t.equal(logstrata('--version').trim(), version)
  process.kill(-service.pid!, 'SIGTERM')
  await once(service, 'exit')
  // npx has the signal too, and does not wait for what it started.
  while (hasLock()) await setTimeout(20)
  t.pass('it ended in order')
})
