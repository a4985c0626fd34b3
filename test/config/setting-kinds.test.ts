import fc from 'fast-check'
import t from 'tap'
import {
  address,
  bytes,
  choice,
  duration,
  integer,
  origins,
  text,
} from '../../src/config/setting-kinds.ts'
import { forAll } from '../for-all.ts'

const gib = 1024 ** 3
const day = 86_400_000

t.test('sizes are read with and without units', async t => {
  const reads = (text: string, expected: number) => t.equal(bytes(0, 8 * gib).read(text), expected)

  reads('0', 0)
  reads('123', 123)
  reads('123B', 123)
  reads('64MiB', 64 * 1024 ** 2)
  reads('64 MiB', 64 * 1024 ** 2)
  reads('64mib', 64 * 1024 ** 2)
  reads('64M', 64 * 1024 ** 2)
  reads('64k', 64 * 1024)
  reads('64kB', 64_000)
  reads('2GB', 2e9)
  reads('1.5GiB', 1.5 * gib)
})

t.test('what is no size, or out of bounds, is refused', async t => {
  const refuses = (text: string) => t.equal(bytes(10, 8 * gib).read(text), undefined, text)

  refuses('')
  refuses('MiB')
  refuses('9')
  refuses('9GiB')
  refuses('-64MiB')
  refuses('64 parsec')
  refuses('64MiBs')
  refuses('1e3')
  refuses('0.1KiB') // Not a whole number of bytes.
  refuses('none')
  refuses('99999999999999999999')
})

t.test('durations are read with units, alone or several', async t => {
  const reads = (text: string, expected: number) =>
    t.equal(duration(0, 99 * day).read(text), expected)

  reads('0s', 0)
  reads('500ms', 500)
  reads('60s', 60_000)
  reads('1h30m', 5_400_000)
  reads('1.5s', 1500)
  reads('30d', 30 * day)
  reads('2w', 14 * day)
})

t.test('what is no duration, or out of bounds, is refused', async t => {
  const refuses = (text: string) => t.equal(duration(1, day).read(text), undefined, text)

  refuses('')
  refuses('60')
  refuses('s')
  refuses('1 s')
  refuses('60S')
  refuses('2d')
  refuses('0ms')
  refuses('0.5ms')
  refuses('1s!')
  refuses('1m1h')
})

t.test('integers, words, texts and addresses keep to what they expect', async t => {
  const reads = <Value>(
    kind: { read(text: string): Value | undefined },
    text: string,
    expected: Value | undefined,
  ) => t.equal(kind.read(text), expected, `reads ${JSON.stringify(text)}`)

  reads(integer(0, 10), '0', 0)
  reads(integer(0, 10), '10', 10)
  reads(integer(0, 10), '11', undefined)
  reads(integer(0, 10), '1.5', undefined)
  reads(integer(0, 10), ' 1', undefined)
  reads(integer(0, 10), '0x1', undefined)
  reads(choice(['on', 'off']), 'on', 'on')
  reads(choice(['on', 'off']), 'On', undefined)
  reads(choice(['on', 'off']), 'toString', undefined)
  reads(text(), 'any text', 'any text')
  reads(text(), '', undefined)
  reads(address(), 'http://127.0.0.1:7007', 'http://127.0.0.1:7007')
  reads(address(), 'https://logs.example/base/', 'https://logs.example/base')
  reads(address(), '127.0.0.1:7007', undefined)
  reads(address(), 'localhost:7007', undefined)
  reads(address(), 'ftp://logs.example', undefined)
  reads(address(), 'http://user:word@logs.example', undefined)
  reads(address(), 'http://logs.example/?a=b', undefined)
})

t.test('what is printed is read back to the same value', async () => {
  forAll(fc.nat(), fc.constantFrom(1, 1000, 1024, 60_000), (count, unit) => {
    const value = count * unit
    const ofBytes = bytes(0, Number.MAX_SAFE_INTEGER)
    const ofTime = duration(0, Number.MAX_SAFE_INTEGER)
    return (
      ofBytes.read(ofBytes.print(value)) === value && ofTime.read(ofTime.print(value)) === value
    )
  })
})

t.test('origins are those that browsers write, and nothing else', async t => {
  const kind = origins()
  const all = ['https://shop.example', 'http://localhost:3000', 'http://[::1]:8080', '*']
  t.same(kind.read(all.join(', ')), all)
  t.same(kind.read(kind.print(all)), all)
  for (const text of [
    '',
    'shop.example',
    'https://shop.example/',
    'https://Shop.example',
    'null',
  ]) {
    t.equal(kind.read(text), undefined, text)
  }
  t.equal(kind.read('https://shop.example:443'), undefined, 'the usual port is not written')
  t.equal(kind.read('https://a.example,ftp://b.example'), undefined)
})
