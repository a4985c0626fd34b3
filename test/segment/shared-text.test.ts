/** Equal texts take the memory of one. */
import v8 from 'node:v8'
import vm from 'node:vm'
import t from 'tap'
import { sharedText } from '../../src/columns/shared-text.ts'

v8.setFlagsFromString('--expose-gc')
const collect = vm.runInNewContext('gc') as () => void

/** Bytes that the texts take, each of them read anew. */
function heapBytesOf(make: (text: string) => string, bytes: Buffer, count: number): number {
  collect()
  const before = process.memoryUsage().heapUsed
  const texts = Array.from({ length: count }, () => make(bytes.toString('latin1')))
  collect()
  const taken = process.memoryUsage().heapUsed - before
  t.equal(texts.length, count)
  return taken
}

t.test('equal texts are kept once', async t => {
  const bytes = Buffer.from(`took 0 ms ${'é'.repeat(90)}`, 'latin1')
  const [apart, shared] = [
    heapBytesOf(text => text, bytes, 20_000),
    heapBytesOf(sharedText, bytes, 20_000),
  ]
  t.ok(shared < apart / 4, `${shared} of ${apart} bytes`)
})

t.test('every text is itself, however many there are', async t => {
  const texts = Array.from({ length: 10_000 }, (_, i) => `text ${i} ${'x'.repeat(i % 600)}`)
  t.ok([...texts, ...texts].every(text => sharedText(`${text}`) === text))
})
