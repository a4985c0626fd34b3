/** What the journal is to know of the batches of a body, beside their records. */
import type { EncodedBatch } from '../../journal/batch-writer.ts'
import type { FrameReceipts, ReceiptKey, RequestReceipt } from '../../journal/receipts.ts'
import type { Timestamp } from '../../record.ts'
import type { EncodedEventBatch } from '../event-batch.ts'

const noKeys = new Uint8Array(0)

/** What a sender hears beyond how many events were accepted; empty when it is nothing. */
export function answerTextOf({ rejected, errors }: Pick<EncodedEventBatch, 'rejected' | 'errors'>) {
  return rejected === 0 ? '' : JSON.stringify({ rejected, errors })
}

/** The batches, each with the keys of what is in it. `key`: of the whole request, if it has one. */
export function withReceipts(
  encoded: EncodedEventBatch,
  time: Timestamp,
  key: ReceiptKey | undefined,
): readonly EncodedBatch[] {
  const { batches, eventKeys, eventCount, accepted } = encoded
  if (key === undefined && eventKeys.length === 0) return batches
  let from = 0
  let keysFrom = 0
  return batches.map((batch, i) => {
    const isLast = i === batches.length - 1
    // What was refused after the last good event belongs to it.
    const to = isLast ? eventCount : batch.eventsEnd
    const requests: RequestReceipt[] = []
    if (key !== undefined) {
      const answer = isLast ? answerTextOf(encoded) : ''
      requests.push({ ...key, time, from, to, total: eventCount, accepted, answer })
    }
    const ofBatch = keysFrom < batch.keysEnd ? eventKeys.subarray(keysFrom, batch.keysEnd) : noKeys
    from = to
    keysFrom = batch.keysEnd
    return withReceiptsOf(batch, { time, eventKeys: ofBatch, requests })
  })
}

/** The bytes of the batch are not asked for. */
function withReceiptsOf(batch: EncodedBatch, receipts: FrameReceipts): EncodedBatch {
  const { payloadBytes, recordCount, minTimestamp, maxTimestamp, streams } = batch
  return {
    ...{ payloadBytes, recordCount, minTimestamp, maxTimestamp, streams, receipts },
    get payload() {
      return batch.payload
    },
  }
}
