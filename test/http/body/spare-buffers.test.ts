/** Memory of encoded bodies goes round, and nothing of one body is found in the next. */
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { SpareBuffers } from '../../../src/http/body/spare-buffers.ts'
import { config, ingestionSecret, startServer } from '../stand-ins.ts'

const mib = 1024 * 1024
const path = '/api/v1/webhook/event/logs'

t.test('what is given back is the memory of the next that it is large enough for', async t => {
  const buffers = new SpareBuffers()
  t.equal(buffers.take(mib), undefined, 'there is none at first')
  const first = Buffer.allocUnsafe(mib)
  const memory = first.buffer
  buffers.giveBack(first.subarray(0, 700_000))
  t.equal(buffers.bytes, mib)
  t.equal(buffers.take(mib + 1), undefined, 'too small')
  t.equal(buffers.take(mib / 2 - 1), undefined, 'more than twice as large')
  const next = buffers.take(mib / 2)
  t.equal(next?.buffer, memory)
  t.equal(next?.length, mib / 2)
  t.equal(buffers.bytes, 0)
  t.equal(buffers.take(mib / 2), undefined, 'somebody has it')
})

t.test('small ones, and more than 8 MiB, are freed', async t => {
  const buffers = new SpareBuffers()
  const small = Buffer.allocUnsafe(1_000)
  const other = Buffer.allocUnsafe(1_000)
  buffers.giveBack(small)
  t.equal(other.length, 1_000, 'which may be in the same memory')
  const large = Array.from({ length: 9 }, () => Buffer.allocUnsafe(mib))
  for (const one of large) buffers.giveBack(one)
  t.equal(buffers.bytes, 8 * mib)
  t.equal(large[8]!.length, 0, 'its memory is gone')
})

t.test('some time after the last one all of it is let go', async t => {
  const buffers = new SpareBuffers(50)
  buffers.giveBack(Buffer.allocUnsafe(mib))
  await pause(200)
  t.equal(buffers.bytes, 0)
})

t.test('encoded bodies of all sizes, one after the other, are what was sent', async t => {
  const { url, ingested } = await startServer(t, { config: { ...config, batchBytesMax: 60 * mib } })
  let random = 7
  for (const bytes of [900_000, 700_000, 1_300_000, 650_000, 660_000, 2_000_000, 1_000_000]) {
    const letters = Buffer.from(
      Array.from({ length: bytes }, () => {
        random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0
        return 97 + ((random >>> 16) % 26)
      }),
    )
    const body = new Uint8Array(gzipSync(letters, { level: 1 }))
    const headers = {
      Authorization: `Bearer ${ingestionSecret}`,
      'Content-Type': 'application/json',
      'Content-Encoding': 'gzip',
    }
    const answer = await fetch(url + path, { method: 'POST', headers, body })
    t.equal(answer.status, 200)
    t.ok(ingested.pop()!.equals(letters), `${bytes} bytes`)
  }
})
