/** What the parts of a store share, whichever store it is. */
import type { Logger } from 'pino'
import type { Disk } from '../disk/disk.ts'
import type { Health } from '../health.ts'
import type { Journal } from '../journal/journal.ts'
import type { ScanPool } from '../query/scan-pool.ts'
import type { ReceiptFiles } from './receipts/receipt-files.ts'
import type { Receipts } from './receipts/receipts.ts'
import type { StorePaths } from './store-directories.ts'
import type { Tails } from './tail/tail.ts'
import type { JournalRanges } from './view/journal-ranges.ts'
import type { QueriesUnderWay } from './view/queries-under-way.ts'

export interface SharedParts {
  readonly disk: Disk
  readonly ranges: JournalRanges
  readonly queries: QueriesUnderWay
  readonly logger: Logger
}

/** Of work behind the scenes. */
export interface WorkParts extends SharedParts {
  readonly receiptFiles: Pick<ReceiptFiles, 'prune'>
  readonly health: Pick<Health, 'raise' | 'clear'>
  readonly now: () => number
}

/** Of a store that is open. */
export interface OpenParts extends SharedParts {
  readonly paths: StorePaths
  readonly journal: Journal
  readonly tails: Tails
  readonly pool: ScanPool
  readonly receipts: Receipts
}
