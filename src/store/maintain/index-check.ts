/** Whether the index says of segments what their footers say. */
import type { IndexedBlock } from '../../index/block-index.ts'
import {
  emptySummary,
  isSameSummary,
  type SegmentSummary,
  withBlock,
} from '../../index/segment-summary.ts'
import type { LiveSegment } from '../view/segments.ts'

type SummariesBySegment = ReadonlyMap<number, SegmentSummary>

/** What the index must say of a segment whose footer names these blocks. */
export function summaryOf(blocks: readonly IndexedBlock[]): SegmentSummary {
  return blocks.reduce((summary, block) => {
    return withBlock(summary, { ...block, levelCounts: block.levelCounts.flat() })
  }, emptySummary)
}

/** Segments that the index describes otherwise than their footers do, or that are not there. */
export function staleSegments(indexed: SummariesBySegment, expected: SummariesBySegment): number[] {
  const summaryIn = (summaries: SummariesBySegment, number: number) =>
    summaries.get(number) ?? emptySummary
  return [...new Set([...indexed.keys(), ...expected.keys()])]
    .filter(number => !isSameSummary(summaryIn(indexed, number), summaryIn(expected, number)))
    .sort((a, b) => a - b)
}

/** Those of the segments that the index describes otherwise than their footers do. */
export function differsFrom<Segment extends Pick<LiveSegment, 'number' | 'summary'>>(
  indexed: SummariesBySegment,
  segments: readonly Segment[],
): Segment[] {
  return segments.filter(({ number, summary }) => {
    return !isSameSummary(indexed.get(number) ?? emptySummary, summary)
  })
}

/** How a segment's footer and the index differ, in words for people. */
export function differenceText(indexed: SegmentSummary, expected: SegmentSummary): string {
  const said = ({ blockCount, recordCount }: SegmentSummary) =>
    `${blockCount} blocks with ${recordCount} records`
  if (indexed.blockCount === expected.blockCount && indexed.recordCount === expected.recordCount) {
    return `it has ${said(indexed)}, as the footer says, but not the same ones`
  }
  return `it has ${said(indexed)}, but the footer says ${said(expected)}`
}
