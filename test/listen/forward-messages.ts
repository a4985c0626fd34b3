/** Messages of the forward protocol, as its specification (v1) has them. */
import { gzipSync } from 'node:zlib'
import { Packr } from 'msgpackr'

const packr = new Packr({ useRecords: false })
export const pack = (value: unknown) => Buffer.from(packr.pack(value))

/** EventTime: seconds and nanoseconds. */
export function eventTime(seconds: number, nanoseconds: number): Buffer {
  const bytes = Buffer.from('d7000000000000000000', 'hex')
  bytes.writeUInt32BE(seconds, 2)
  bytes.writeUInt32BE(nanoseconds, 6)
  return bytes
}

/** An array of values that are packed already. */
export function arrayOf(...packed: readonly Buffer[]): Buffer {
  const head =
    packed.length < 16 ? [0x90 + packed.length] : [0xdc, packed.length >> 8, packed.length & 255]
  return Buffer.concat([Buffer.from(head), ...packed])
}

export const entry = (time: Buffer, record: object) => arrayOf(time, pack(record))

export const modes = ['message', 'forward', 'packed', 'compressed'] as const

/** One message of several entries; of the mode `message` there is one for each. */
export function messageOf(
  mode: (typeof modes)[number],
  tag: string,
  entries: readonly { time: Buffer; record: object }[],
  option?: object,
): Buffer {
  const packed = entries.map(({ time, record }) => entry(time, record))
  const options = (more = {}) =>
    option === undefined && Object.keys(more).length === 0 ? [] : [pack({ ...option, ...more })]
  if (mode === 'message') {
    return Buffer.concat(
      entries.map(({ time, record }) => arrayOf(pack(tag), time, pack(record), ...options())),
    )
  }
  if (mode === 'forward') return arrayOf(pack(tag), arrayOf(...packed), ...options())
  const whole = Buffer.concat(packed)
  if (mode === 'packed') return arrayOf(pack(tag), pack(whole), ...options())
  return arrayOf(pack(tag), pack(gzipSync(whole)), ...options({ compressed: 'gzip' }))
}
