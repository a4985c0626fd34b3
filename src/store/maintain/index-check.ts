/** Whether the index says of segments what their footers say. */
import type { IndexedBlock } from '../../index/block-index.ts'
import {
  noFigures,
  type SegmentFigures,
  sameFigures,
  withBlock,
} from '../../index/segment-figures.ts'
import type { LiveSegment } from '../view/segments.ts'

type FiguresBySegment = ReadonlyMap<number, SegmentFigures>

/** What the index must say of a segment whose footer names these blocks. */
export function figuresOf(blocks: readonly IndexedBlock[]): SegmentFigures {
  return blocks.reduce((figures, block) => {
    return withBlock(figures, { ...block, levelCounts: block.levelCounts.flat() })
  }, noFigures)
}

/** Segments of which the index does not say what their footer says, or which are not there. */
export function staleSegments(indexed: FiguresBySegment, expected: FiguresBySegment): number[] {
  const figuresIn = (figures: FiguresBySegment, number: number) => figures.get(number) ?? noFigures
  return [...new Set([...indexed.keys(), ...expected.keys()])]
    .filter(number => !sameFigures(figuresIn(indexed, number), figuresIn(expected, number)))
    .sort((a, b) => a - b)
}

/** Those of the segments of which the index says something else than their footer. */
export function differsFrom<Segment extends Pick<LiveSegment, 'number' | 'figures'>>(
  indexed: FiguresBySegment,
  segments: readonly Segment[],
): Segment[] {
  return segments.filter(({ number, figures }) => {
    return !sameFigures(indexed.get(number) ?? noFigures, figures)
  })
}

/** Of what a segment's footer says and the index does not, in words for people. */
export function differenceText(indexed: SegmentFigures, expected: SegmentFigures): string {
  const said = ({ blockCount, recordCount }: SegmentFigures) =>
    `${blockCount} blocks with ${recordCount} records`
  if (indexed.blockCount === expected.blockCount && indexed.recordCount === expected.recordCount) {
    return `it has ${said(indexed)}, as the footer says, but not the same ones`
  }
  return `it has ${said(indexed)}, but the footer says ${said(expected)}`
}
