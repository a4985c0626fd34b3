import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const program = fileURLToPath(new URL('abandon-service.ts', import.meta.url))

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

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
    const giveUpAt = performance.now() + 10_000
    while (isRunning(pid) && performance.now() < giveUpAt) await delay(5)
    t.notOk(isRunning(pid))
    if (isRunning(pid)) process.kill(pid, 'SIGKILL')
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
