import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { endsSoon, isRunning } from '../running.ts'

const program = fileURLToPath(new URL('abandon-service.ts', import.meta.url))

for (const signal of ['SIGKILL', 'SIGTERM', 'SIGALRM'] as const) {
  t.test(`a test that ends by ${signal} takes its service with it`, async t => {
    const test = spawn(process.execPath, [program, t.testdir()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(test.stdout, 'data')
    const pid = Number(line)
    t.ok(isRunning(pid))
    test.kill(signal)
    await once(test, 'exit')
    t.ok(await endsSoon(pid))
  })
}

t.test('a service whose test lives on is left alone, and a test waits for no guard', async t => {
  const test = spawn(process.execPath, [program, t.testdir()], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(test.stdout, 'data')
  process.kill(Number(line), 'SIGTERM')
  const [code] = await once(test, 'exit')
  t.equal(code, 0)
})
