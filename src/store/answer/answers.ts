/** Answers in the form in which the API gives them. */

import { newNamedValues } from '../../named-values.ts'
import type { GroupCount } from '../../query/collect/groups.ts'
import type { HistogramCounts } from '../../query/collect/histogram.ts'
import type { FoundRecord } from '../../query/rebuild.ts'
import { streamLabels } from '../../record.ts'
import type { AnswerGroup, AnswerRecord, HistogramBucket, HistogramRequest } from '../store.ts'
import { recordId } from './place-text.ts'

export function answerRecord(record: FoundRecord): AnswerRecord {
  const attributes = newNamedValues<string>()
  attributes[streamLabels.service] = record.stream.service
  attributes[streamLabels.environment] = record.stream.environment
  for (let i = 0; i < record.attributes.length; i += 2) {
    attributes[record.attributes[i]!] = record.attributes[i + 1]!
  }
  const { timestamp, level, message, ownLength = record.attributes.length } = record
  const known = { id: recordId(record), timestamp, log_level: level, message, attributes }
  if (ownLength === record.attributes.length) return known
  return { ...known, made: record.attributes.slice(ownLength).filter((_, i) => i % 2 === 0) }
}

/** Groups with their labels, largest first. */
export function answerGroups(by: readonly string[], groups: readonly GroupCount[]): AnswerGroup[] {
  const answered: AnswerGroup[] = []
  for (const [values, count] of groups) {
    const labels = newNamedValues<string>()
    for (const [i, label] of by.entries()) labels[label] = values[i]!
    answered.push({ labels, count })
  }
  return answered.sort(largestFirst)
}

const largestFirst = (a: AnswerGroup, b: AnswerGroup) => b.count - a.count

/** All buckets of the range in order of time, empty ones included. */
export function answerHistogram(
  { startTime, endTime, bucketMs }: HistogramRequest,
  counts: HistogramCounts,
): { bucketMs: number; buckets: HistogramBucket[] } {
  const first = Math.floor(startTime / bucketMs)
  const buckets: { start: number; count: number; levels: Record<string, number> }[] = []
  for (let bucket = first; bucket * bucketMs <= endTime; bucket++) {
    buckets.push({ start: bucket * bucketMs, count: 0, levels: {} })
  }
  for (const [level, ofLevel] of counts) {
    ofLevel.counts.forEach((count, i) => {
      if (count === 0) return
      const target = buckets[ofLevel.first + i - first]!
      target.count += count
      target.levels[level] = count
    })
  }
  return { bucketMs, buckets }
}
