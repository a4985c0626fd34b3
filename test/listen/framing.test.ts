import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { DelimitedFrames } from '../../src/listen/framing/delimited-frames.ts'
import type { Framer } from '../../src/listen/framing/framer.ts'
import { SyslogFrames } from '../../src/listen/framing/syslog-frames.ts'
import { forAll } from '../for-all.ts'
import { seed } from '../long-runs.ts'

const bytesMax = 64

/** What a framer finds when `stream` comes in pieces of these sizes. */
function framesOf(framer: Framer, stream: Buffer, sizes: readonly number[]): string[] {
  const found: string[] = []
  const sink = {
    frame: (bytes: Buffer) => {
      found.push(bytes.toString('latin1'))
    },
    refused: (reason: string) => {
      found.push(`(${reason})`)
    },
  }
  let at = 0
  for (let i = 0; at < stream.length; i++) {
    const end = at + (sizes[i % sizes.length] ?? stream.length)
    framer.push(Buffer.from(stream.subarray(at, end)), sink)
    assert.ok(framer.heldBytes <= 1024 + 2 * bytesMax)
    at = end
  }
  framer.end(sink)
  return found
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })
const text = fc.string({ minLength: 1, maxLength: 90, unit: 'grapheme' }).map(s => `<14>${s}`)
const told = (message: string) =>
  Buffer.byteLength(message) > bytesMax ? '(too_large)' : Buffer.from(message).toString('latin1')

t.test('messages with their length come as they were sent, in whatever pieces', async t => {
  forAll({ seed }, fc.array(text), sizes, fc.constantFrom('', '\n'), (messages, sizes, between) => {
    const sent = messages.map(one => `${Buffer.byteLength(one)} ${one}${between}`).join('')
    const found = framesOf(new SyslogFrames(bytesMax), Buffer.from(sent), sizes)
    assert.deepEqual(found, messages.map(told))
  })
  t.pass()
})

t.test('messages with an end come as they were sent, in whatever pieces', async t => {
  const line = text.map(message => message.replaceAll(/[\n\0]/g, ' '))
  forAll({ seed }, fc.array(line), sizes, fc.boolean(), (messages, sizes, isEnded) => {
    const sent = messages.join('\n') + (isEnded ? '\n' : '')
    const found = framesOf(new SyslogFrames(bytesMax), Buffer.from(sent), sizes)
    assert.deepEqual(found, messages.map(told))
  })
  t.pass()
})

t.test('how messages are told apart is told by the first', async t => {
  const frames = (stream: string) => framesOf(new SyslogFrames(bytesMax), Buffer.from(stream), [3])
  t.same(frames('<14>a\0<14>two\nlines\0'), ['<14>a', '<14>two\nlines'], 'NUL first: NUL only')
  t.same(frames('<14>a\n<14>b\0<14>c\n'), ['<14>a', '<14>b', '<14>c'], 'lines first: both')
  t.same(frames('2026 <14>in a line\n'), ['(too_large)'], 'a number, a blank, < is a length')
  t.same(frames('2026-11-23 a line\n12 more\n'), ['2026-11-23 a line', '12 more'])
  t.same(frames('123'), ['123'], 'never told')
  t.same(frames('5 <14>a8 <1'), ['<14>a', '(torn)'])
  t.throws(() => frames('5 <14>a<14>b'), /expected the length of the next message, found "<"/)
  t.throws(() => frames('5 <14>a12345678901 x'), /found/)
  t.throws(() => frames('5 <14>a05 x'), /found "0"/)
  const nul = framesOf(new DelimitedFrames('nul', bytesMax), Buffer.from('{"a":\n1}\0{}'), [2])
  t.same(nul, ['{"a":\n1}', '{}'])
})
