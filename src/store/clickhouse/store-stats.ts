/** What a store without segments says of itself. */
import { noFindings } from '../maintain/findings.ts'

/** Nothing is sealed, merged, or read through for damage. */
export const noSegments = {
  segmentBlocks: 0,
  sealedRecords: 0,
  sealMs: 0,
  compactions: 0,
  compactionMs: 0,
  scrubbedBytes: 0,
  scrubPasses: 0,
  scrubPassMs: 0,
  scrubPassAt: 0,
  findings: noFindings,
  damagedBlocks: 0,
} as const
