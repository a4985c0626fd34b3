import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { gzipped } from '../../../src/http/reply/gzip.ts'

async function collect(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of source) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function* these(...chunks: readonly Uint8Array[]) {
  yield* chunks
}

t.test('what is compressed comes back', async t => {
  const comesBack = async (name: string, ...chunks: readonly Uint8Array[]) => {
    const bytes = gunzipSync(await collect(gzipped(these(...chunks))))
    t.ok(bytes.equals(Buffer.concat(chunks)), name)
  }

  await comesBack('nothing')
  await comesBack('an empty chunk', Buffer.alloc(0))
  await comesBack('a little', Buffer.from('a'), Buffer.from('b'))
  await comesBack('much that compresses', Buffer.alloc(5_000_000, 'text '), Buffer.from('end'))
  await comesBack('much that does not', randomBytes(3_000_000), randomBytes(100))
})

t.test('an error of the source is thrown on, and the source is ended with its reader', async t => {
  async function* failing() {
    yield Buffer.from('a')
    throw new Error('broken')
  }
  await t.rejects(collect(gzipped(failing())), { message: 'broken' })

  let isEnded = false
  async function* endless() {
    try {
      for (;;) yield randomBytes(100_000)
    } finally {
      isEnded = true
    }
  }
  for await (const chunk of gzipped(endless())) {
    assert.ok(chunk.length > 0)
    break
  }
  t.equal(isEnded, true)
})
