/** Requests to Loki's push API in protobuf, as its clients make them. */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { compress } from 'snappyjs'

export interface SentEntry {
  readonly time: bigint
  readonly line: string
  readonly metadata?: Readonly<Record<string, string>>
}

export interface SentStream {
  readonly labels: string
  readonly entries: readonly SentEntry[]
}

export function snappyOf(message: Uint8Array): Buffer {
  return Buffer.from(compress(message))
}

export function pushRequest(streams: readonly SentStream[]): Uint8Array {
  const writer = new BinaryWriter()
  for (const { labels, entries } of streams) {
    writer.tag(1, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.LengthDelimited).string(labels)
    for (const entry of entries) writeEntry(writer, entry)
    writer.tag(3, WireType.Varint).uint64(1).join() // The hash, of no use to us.
  }
  return writer.finish()
}

function writeEntry(writer: BinaryWriter, { time, line, metadata = {} }: SentEntry): void {
  writer.tag(2, WireType.LengthDelimited).fork()
  writer.tag(1, WireType.LengthDelimited).fork()
  writer.tag(1, WireType.Varint).int64(time / 1_000_000_000n)
  writer.tag(2, WireType.Varint).int32(Number(time % 1_000_000_000n))
  writer.join()
  writer.tag(2, WireType.LengthDelimited).string(line)
  for (const [name, value] of Object.entries(metadata)) {
    writer.tag(3, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.LengthDelimited).string(name)
    writer.tag(2, WireType.LengthDelimited).string(value).join()
  }
  writer.join()
}
