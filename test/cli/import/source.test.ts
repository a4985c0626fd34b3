import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import zlib from 'node:zlib'
import t from 'tap'
import { openSource } from '../../../src/cli/import/source.ts'

/** What comes of standard input that holds `input`, and the error that ends it, if any. */
async function read(input: Buffer, chunkBytes = 1_000) {
  function* chunks() {
    for (let start = 0; start < input.length; start += chunkBytes) {
      yield input.subarray(start, start + chunkBytes)
    }
  }
  const source = openSource('-', Readable.from(chunks()), new AbortController().signal)
  const parts: Buffer[] = []
  let error: Error | undefined
  try {
    for await (const part of source.chunks) parts.push(part)
  } catch (caught) {
    error = caught as Error
  }
  return { text: Buffer.concat(parts).toString(), error }
}

const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => `{"n":${(from + n) ** 3}}\n`).join('')
const checksum = { params: { [zlib.constants.ZSTD_c_checksumFlag]: 1 } }
const encoders = {
  gzip: (text: string) => zlib.gzipSync(text),
  zstd: (text: string) => zlib.zstdCompressSync(text),
  'zstd with a checksum': (text: string) => zlib.zstdCompressSync(text, checksum),
}
const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3])

t.test('everything of a compressed file is read, whatever parts it has', async t => {
  const reads = async (name: string, parts: readonly Buffer[], expected: string) => {
    for (const chunkBytes of [97, 1_000_000]) {
      const { text, error } = await read(Buffer.concat(parts), chunkBytes)
      t.equal(error, undefined, name)
      t.ok(text === expected, `${name}, ${chunkBytes} bytes at a time`)
    }
  }

  for (const [name, encode] of Object.entries(encoders)) {
    const [first, second] = [encode(lines(0, 5_000)), encode(lines(5_000, 10_000))]
    await reads(`two parts of ${name}`, [first, second], lines(0, 10_000))
    await reads(`${name} of nothing`, [encode(''), first, encode(''), encode('')], lines(0, 5_000))
    const single = Array.from({ length: 300 }, (_, n) => encode(lines(n, n + 1)))
    await reads(`a part of ${name} for each line`, single, lines(0, 300))
  }
  const [first, second] = [encoders.zstd(lines(0, 9)), encoders.zstd(lines(9, 20))]
  await reads('pzstd', [skippable, first, skippable, second, skippable], lines(0, 20))
  await reads('skippable frames only', [skippable, skippable], '')
})

t.test('a compressed file that was cut off gives its beginning, and then an error', async t => {
  for (const [name, encode] of Object.entries(encoders)) {
    const [first, second] = [encode(lines(0, 5_000)), encode(lines(5_000, 10_000))]
    const whole = Buffer.concat([first, second])
    const cuts = {
      'in the first part': first.length >> 1,
      'before the end of the first part': first.length - 1,
      'in the header of the second part': first.length + 3,
      'in the second part': first.length + (second.length >> 1),
      'before the end': whole.length - 1,
    }
    for (const [place, length] of Object.entries(cuts)) {
      const { text, error } = await read(whole.subarray(0, length))
      t.match(
        error,
        { name: 'CommandError', message: /^-: .* ends too early$/ },
        `${name} ${place}`,
      )
      t.ok(lines(0, 10_000).startsWith(text))
      const isBehindFirst = length > first.length
      t.ok(!isBehindFirst || text.startsWith(lines(0, 4_900)), 'what was whole is there')
    }
  }
})

t.test('damage, and anything behind the end, is an error and not the end', async t => {
  const refuses = async (name: string, input: Buffer, chunkBytes?: number) => {
    const { error } = await read(input, chunkBytes)
    t.match(error, { name: 'CommandError', message: /^-: .* is damaged$/ }, name)
  }

  for (const [name, encode] of Object.entries(encoders)) {
    const part = encode(lines(0, 5_000))
    for (const chunkBytes of [97, 1_000_000]) {
      await refuses(`${name}, then text`, Buffer.concat([part, Buffer.from('more')]), chunkBytes)
      const behind = Buffer.concat([part, Buffer.from('?'), part])
      await refuses(`${name}, then a byte too many`, behind, chunkBytes)
    }
  }
  for (const encode of [encoders.gzip, encoders['zstd with a checksum']]) {
    const damaged = encode(lines(0, 5_000))
    damaged[damaged.length >> 1]! ^= 0xff
    await refuses('a flipped byte', damaged)
  }
})

t.test('a frame that takes much memory to decompress is refused with a remedy', async t => {
  const window = 0xf8 // 2^(10 + 31) bytes.
  const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, window, 0x01, 0x00, 0x00])
  t.match((await read(frame)).error, { name: 'CommandError', message: /zstd -d/ })
})

t.test('decompressing a large file takes no memory to speak of', async t => {
  const part = zlib.zstdCompressSync(Buffer.alloc(8 * 1024 * 1024, 'a line of text\n'))
  const input = Readable.from(Array.from({ length: 30 }, () => part))
  const source = openSource('-', input, new AbortController().signal)
  const before = process.memoryUsage().rss
  const hash = createHash('sha1')
  let bytes = 0
  for await (const chunk of source.chunks) {
    bytes += chunk.length
    hash.update(chunk)
  }
  t.equal(bytes, 30 * 8 * 1024 * 1024)
  t.ok(process.memoryUsage().rss - before < 100 * 1024 * 1024)
})
