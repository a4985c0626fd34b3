/** The receipts of a store as it is opened: what earlier processes have put down of them. */
import type { Config } from '../../config/config.ts'
import { ReceiptFiles, type ReceiptFilesParts } from './receipt-files.ts'
import { Receipts } from './receipts.ts'

export interface ReceiptsParts extends Omit<ReceiptFilesParts, 'countMax' | 'ageMsMax'> {
  readonly config: Pick<Config, 'retryKeysMax' | 'retryAgeMs'>
}

/** With what stands in files, of keys that are still remembered; the journal's are yet to come. */
export function openReceipts({ config, paths, disk, logger, now }: ReceiptsParts): {
  readonly receipts: Receipts
  readonly receiptFiles: ReceiptFiles
} {
  const bounds = { countMax: config.retryKeysMax, ageMsMax: config.retryAgeMs, now }
  const receipts = new Receipts(bounds)
  const receiptFiles = new ReceiptFiles({ ...bounds, paths, disk, logger })
  receiptFiles.readInto(receipts)
  return { receipts, receiptFiles }
}
