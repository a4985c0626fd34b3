import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const program = fileURLToPath(new URL('../fixtures/end-with-busy-thread.ts', import.meta.url))

t.test('a process ends with the code that it is given, though a thread does not end', async t => {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'ignore', 'inherit'] })
  t.teardown(() => child.kill('SIGKILL'))
  const [code, signal] = await once(child, 'exit', { signal: AbortSignal.timeout(15_000) })
  t.equal(code, 7)
  t.equal(signal, null)
})
