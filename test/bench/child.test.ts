import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const bench = (name: string) => fileURLToPath(new URL(`../../bench/${name}`, import.meta.url))
const program = `
import { startServer } from ${JSON.stringify(bench('child.ts'))}
const { pid } = await startServer([${JSON.stringify(bench('bare.ts'))}, 'read'])
process.stdout.write(pid + '\\n')`

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

t.test('a benchmark that is killed takes its server with it', async t => {
  const benchmark = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(benchmark.stdout, 'data')
  const pid = Number(line)
  t.ok(isRunning(pid))
  benchmark.kill('SIGKILL')
  await once(benchmark, 'exit')
  const giveUpAt = performance.now() + 10_000
  while (isRunning(pid) && performance.now() < giveUpAt) await delay(5)
  t.notOk(isRunning(pid))
  if (isRunning(pid)) process.kill(pid, 'SIGKILL')
})
