/** The width of buckets of time, as histograms and patterns ask for it. */

import { Type } from 'typebox'
import { ProblemError } from '../../../problems.ts'
import { roundBucketMs } from '../../../query/collect/bucket-width.ts'
import { timeMax } from '../../../record.ts'
import type { AskedRecords } from './records-request.ts'

export const bucketWidth = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 2 * timeMax,
    description: 'an integer of milliseconds, 0 for a round width',
  }),
)

export const bucketWidthMeaning = 'Width of a bucket; about 60 of a round width when 0 or absent.'

/** The width that was asked for, within bounds, or a round one that makes about 60 buckets. */
export function readBucketWidth(
  asked: number | undefined,
  { startTime, endTime }: Pick<AskedRecords, 'startTime' | 'endTime'>,
  bucketsMax: number,
): number {
  if (asked === undefined || asked === 0) return roundBucketMs(endTime - startTime)
  const bucketCount = Math.floor(endTime / asked) - Math.floor(startTime / asked) + 1
  if (bucketCount > bucketsMax) {
    const detail = `"bucketMs" ${asked} makes ${bucketCount} buckets, more than ${bucketsMax}`
    throw new ProblemError('field_invalid', detail, { field: 'bucketMs' })
  }
  return asked
}
