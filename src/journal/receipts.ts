/**
 * What a frame says beside its records: under which keys their senders sent them, so that a retry counts
 * once. Keys and records are one frame: a crash keeps both or neither.
 *
 * Receipts are the eleventh value of a frame's msgpack array (`batch-writer.ts`), which most frames do not
 * have; a reader that does not know of it leaves it aside:
 *
 *     [ time, keys <bin, 24 bytes each>,
 *       [ hash <bin 16>, fingerprint <bin 8>, time, from, to, total, accepted, answer, … ] ]
 */
import assert from 'node:assert/strict'
import { Packr, Unpackr } from 'msgpackr'
import type { Timestamp } from '../record.ts'

/** Bytes of the hash of a key, and of that of what was sent under it. */
export const hashBytes = 16
export const fingerprintBytes = 8
/** Hash and fingerprint of one event. */
export const eventKeyBytes = hashBytes + fingerprintBytes

/** A key, with what tells apart what was sent under it. */
export interface ReceiptKey {
  readonly hash: Buffer
  readonly fingerprint: Buffer
}

/** Of a request that was sent under one key: that some of its events are stored. */
export interface RequestReceipt extends ReceiptKey {
  /** Of receipt, ms since 1970. */
  readonly time: Timestamp
  /** Which events of the request, counted from 0; `to` exclusive. Refused ones are counted, too. */
  readonly from: number
  readonly to: number
  /** Events of the whole request, and those that were accepted. */
  readonly total: number
  readonly accepted: number
  /** What its sender was told beyond that, for the service to read; with the last events, or empty. */
  readonly answer: string
}

export interface FrameReceipts {
  /** Of receipt of the events below, ms since 1970. */
  readonly time: Timestamp
  /** Of events that were sent each under a key of its own: `eventKeyBytes` for each. */
  readonly eventKeys: Uint8Array
  readonly requests: readonly RequestReceipt[]
}

/** The first byte of an array of ten values, and of one of eleven. */
const tenValues = 0x9a
const elevenValues = 0x9b
const membersPerRequest = 8

const packr = new Packr({ useRecords: false, moreTypes: false })
const unpackr = new Unpackr({ useRecords: false })

/** The bytes that stand behind a packed batch to give it receipts: the batch is changed to expect them. */
export function packReceiptsBehind(batch: Uint8Array, receipts: FrameReceipts): Buffer {
  assert(batch[0] === tenValues || batch[0] === elevenValues, 'a batch is an array of ten')
  batch[0] = elevenValues
  return packReceipts(receipts)
}

/** The receipts of a frame as msgpack, without a checksum of their own. */
export function packReceipts({ time, eventKeys, requests }: FrameReceipts): Buffer {
  const members = requests.flatMap(one => [
    ...[one.hash, one.fingerprint, one.time],
    ...[one.from, one.to, one.total, one.accepted, one.answer],
  ])
  const { buffer, byteOffset, length } = eventKeys
  return packr.pack([time, Buffer.from(buffer, byteOffset, length), members])
}

/** Of bytes that `packReceipts` made; their checksum is to be checked before. Shares their memory. */
export function unpackReceipts(packed: Uint8Array): FrameReceipts {
  return receiptsIn(unpackr.unpack(packed))
}

/** Of a packed batch: undefined when it has none. Shares its memory. */
export function receiptsOfBatch(payload: Uint8Array): FrameReceipts | undefined {
  if (payload[0] !== elevenValues) return undefined
  return receiptsIn((unpackr.unpack(payload) as unknown[])[10])
}

/** Makes receipts of their unpacked value. */
function receiptsIn(value: unknown): FrameReceipts {
  const [time, eventKeys, members] = value as [Timestamp, Uint8Array, unknown[]]
  const requests: RequestReceipt[] = []
  for (let i = 0; i < members.length; i += membersPerRequest) {
    requests.push({
      hash: members[i] as Buffer,
      fingerprint: members[i + 1] as Buffer,
      time: members[i + 2] as Timestamp,
      from: members[i + 3] as number,
      to: members[i + 4] as number,
      total: members[i + 5] as number,
      accepted: members[i + 6] as number,
      answer: members[i + 7] as string,
    })
  }
  return { time, eventKeys, requests }
}

/** Bytes that receipts take, about, beside their batch. */
export function receiptBytes(receipts: FrameReceipts | undefined): number {
  if (receipts === undefined) return 0
  const bytesPerRequest = 64
  const answers = receipts.requests.reduce((sum, { answer }) => sum + answer.length, 0)
  return receipts.eventKeys.length + bytesPerRequest * receipts.requests.length + answers
}
