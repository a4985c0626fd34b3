import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { endsSoon, isRunning } from '../running.ts'

const bench = (name: string) => fileURLToPath(new URL(`../../bench/${name}`, import.meta.url))
const program = `
import { startServer } from ${JSON.stringify(bench('child.ts'))}
const { pid } = await startServer([${JSON.stringify(bench('bare.ts'))}, 'read'])
process.stdout.write(pid + '\\n')`

t.test('a benchmark that is killed takes its server with it', async t => {
  const benchmark = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(benchmark.stdout, 'data')
  const pid = Number(line)
  t.ok(isRunning(pid))
  benchmark.kill('SIGKILL')
  await once(benchmark, 'exit')
  t.ok(await endsSoon(pid))
})
