/** Memory that is touched before anybody needs it. */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { reserveHeap } from '../../src/threads/heap-reserve.ts'

const mib = 1024 ** 2
const residentBytes = () => {
  const pages = readFileSync('/proc/self/statm', 'latin1').split(' ')[1]
  return Number(pages) * 4096
}

t.test('what is reserved is touched while nobody is waited for', async t => {
  let isAsked = true
  const before = residentBytes()
  let mostBytes = before
  const look = setInterval(() => {
    mostBytes = Math.max(mostBytes, residentBytes())
  }, 1)
  const { signal } = new AbortController()
  const reserved = reserveHeap(16 * mib, { isWanted: () => isAsked, signal })
  await pause(100)
  const whileAskedBytes = mostBytes
  isAsked = false
  await reserved
  clearInterval(look)
  t.ok(whileAskedBytes - before < 4 * mib, 'nothing while somebody asks')
  t.ok(mostBytes - before > 12 * mib, 'then all of it')
})

t.test('none is reserved where there is none to reserve', async t => {
  const isWanted = () => t.fail('nobody is asked')
  await reserveHeap(0, { isWanted: () => Boolean(isWanted()), signal: AbortSignal.abort() })
})

t.test('a stop ends it', async t => {
  const ending = new AbortController()
  const reserved = reserveHeap(1024 * mib, { isWanted: () => false, signal: ending.signal })
  await pause(50)
  ending.abort()
  await t.rejects(reserved, { name: 'AbortError' })
})
