import fc from 'fast-check'
import t from 'tap'
import { linesOf } from '../../../src/cli/import/lines.ts'

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) {
    yield bytes.subarray(start, start + size)
  }
}

/** `number:text` of each line; a line that is too long as `number:…`. */
async function read(bytes: Buffer, chunkBytes: number, lineBytesMax = 1000): Promise<string[]> {
  const found: string[] = []
  for await (const lines of linesOf(inChunks(bytes, chunkBytes), lineBytesMax)) {
    found.push(...lines.map(line => `${line.number}:${line.bytes?.toString() ?? '…'}`))
  }
  return found
}

t.test('lines have the numbers that an editor shows, however the bytes come', async t => {
  const reads = async (text: string, expected: string[]) => {
    for (const chunkBytes of [1, 2, 3, 1000]) {
      t.same(await read(Buffer.from(text), chunkBytes), expected, `${JSON.stringify(text)}`)
    }
  }

  await reads('', [])
  await reads('\n', [])
  await reads('a', ['1:a'])
  await reads('a\n', ['1:a'])
  await reads('a\nb', ['1:a', '2:b'])
  await reads('\n\na\n\nb\n', ['3:a', '5:b'])
  await reads('a\r\nb\r\n\r\nc\r', ['1:a', '2:b', '4:c'])
  await reads(' \t\n a \n', ['2: a '])
  await reads('\ufeffa\n\ufeffb', ['1:a', '2:\ufeffb'])
  await reads('\ufeff\na', ['2:a'])
  await reads('日本\n🎉', ['1:日本', '2:🎉'])
})

t.test('a line that is too long is counted but not kept, and the next one is whole', async t => {
  const text = Buffer.from(`${'a'.repeat(10)}\n${'b'.repeat(11)}\nc\n${'d'.repeat(5000)}`)
  for (const chunkBytes of [1, 4, 7, 10_000]) {
    t.same(await read(text, chunkBytes, 10), ['1:aaaaaaaaaa', '2:…', '3:c', '4:…'])
  }
})

t.test('lines are those that splitting the whole text gives', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\r\n', ' ', '{') })
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (text, chunkBytes) => {
      const expected = text
        .split('\n')
        .map((line, index) => [index + 1, line.replace(/\r$/, '')] as const)
        .filter(([, line]) => line.trim() !== '')
        .map(([number, line]) => `${number}:${line}`)
      const found = await read(Buffer.from(text), chunkBytes)
      return found.join('\n') === expected.join('\n')
    }),
  )
})
