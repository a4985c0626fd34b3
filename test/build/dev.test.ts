/** `npm run dev`: the sources as they are, started again when one changes, and the page built again. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { projectRoot } from '../built.ts'
import { endWithThisProcess } from '../service/end-with-this-process.ts'

t.test(
  'a change of a source starts the service again, one of the page builds the page',
  async t => {
    const project = t.testdir({ data: {} })
    fs.cpSync(join(projectRoot, 'src'), join(project, 'src'), { recursive: true })
    fs.cpSync(join(projectRoot, 'package.json'), join(project, 'package.json'))
    fs.symlinkSync(join(projectRoot, 'node_modules'), join(project, 'node_modules'))
    const argv = [join(project, 'src/build/dev.js'), '--port', '0']
    const dev = spawn(process.execPath, argv, {
      cwd: project,
      detached: true, // So that the service that it starts ends with it, whatever happens.
      env: { PATH: process.env.PATH, LOGSTRATA_ADMIN_KEY: 'key-of-the-developer' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    endWithThisProcess(dev)
    t.teardown(() => dev.kill('SIGKILL'))
    let output = ''
    for (const stream of [dev.stdout, dev.stderr]) {
      stream.on('data', chunk => {
        output += chunk
      })
    }
    const urls = () => output.match(/^listening on \S+$/gm) ?? []
    const until = async (isSo: () => boolean) => {
      while (!isSo() && dev.exitCode === null) await pause(20)
      if (!isSo()) throw new Error(output)
    }
    const says = async () => {
      const url = urls().at(-1)!.slice('listening on '.length)
      return { page: await (await fetch(url)).text(), version: await versionAt(url) }
    }
    await until(() => urls().length === 1)
    const before = await says()

    const source = join(project, 'src/config/version.ts')
    const text = fs.readFileSync(source, 'utf8')
    fs.writeFileSync(source, text.replace('return manifest.version', "return 'new'"))
    await until(() => urls().length === 2)
    t.not(before.version, 'new')
    t.equal((await says()).version, 'new')

    const built = output.match(/built the page/g)?.length ?? 0
    fs.appendFileSync(join(project, 'src/web/main.tsx'), "\ndocument.title = 'changed'\n")
    await until(() => (output.match(/built the page/g)?.length ?? 0) > built)
    dev.kill('SIGTERM')
    t.equal((await once(dev, 'exit'))[0], 0)
  },
)

async function versionAt(url: string): Promise<string> {
  const answer = await fetch(`${url}/openapi.json`)
  return ((await answer.json()) as { info: { version: string } }).info.version
}
