/** Memory that is touched before anybody needs it. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { allocatorEnvironment } from '../../src/memory-policy.js'
import { reserveHeap } from '../../src/threads/heap-reserve.ts'
import type { Faults } from './heap-reserve-process.ts'

const pagesOfArrays = 4096

t.test(
  'what is reserved is touched while nobody asks, and is there for the next arrays',
  async t => {
    const program = join(import.meta.dirname, 'heap-reserve-process.ts')
    // Small pages, which are told from what else happens in a process.
    const env = { ...process.env, ...allocatorEnvironment(16 * 1024 ** 3), GLIBC_TUNABLES: '' }
    const printed = execFileSync(process.execPath, [program], { env, encoding: 'utf8' })
    const { fresh, whileAsked, reserved } = JSON.parse(printed) as Faults
    t.ok(fresh >= (3 / 4) * pagesOfArrays, `${fresh} faults without a reserve`)
    t.ok(whileAsked < pagesOfArrays / 4, `${whileAsked} while somebody asked`)
    t.ok(reserved < pagesOfArrays / 4, `${reserved} with it`)
  },
)

t.test('none is reserved where there is none to reserve', async t => {
  const isWanted = () => t.fail('nobody is asked')
  await reserveHeap(0, { isWanted: () => Boolean(isWanted()), signal: AbortSignal.abort() })
})

t.test('a stop ends it', async t => {
  const ending = new AbortController()
  const { signal } = ending
  const reserved = reserveHeap(1024 ** 3, { isWanted: () => false, signal })
  await pause(50)
  ending.abort()
  await t.rejects(reserved, { name: 'AbortError' })
})
