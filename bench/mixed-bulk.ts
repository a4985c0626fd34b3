/**
 * Many events per request as fast as they are taken, to a fresh store that seals meanwhile: how far
 * the sealer falls behind, and how long it needs for the rest.
 */
import { type Batch, bodyBytesMax, makeBatches, sendBatches } from './bulk.ts'
import { makeRecords } from './records.ts'
import { type Sample, startSampler } from './sampler.ts'
import { startService } from './service.ts'
import { settle } from './settle.ts'

export interface BulkSealResult {
  readonly records: number
  readonly sentSeconds: number
  /** From the last acknowledgement until all was sealed and compacted. */
  readonly restSeconds: number
  /** Until then. */
  readonly samples: readonly Sample[]
}

const connections = 4
const recordsPerRequest = 5_000
/** Bodies are made before the clock starts, and sent again and again, to leave the cores alone. */
const madeRecordsMax = 200_000

export async function runBulkSeal(options: {
  readonly seed: number
  readonly count: number
  readonly sampleMs: number
  /** For the service. */
  readonly flags: readonly string[]
}): Promise<BulkSealResult> {
  const { seed, count, sampleMs } = options
  const made = makeRecords({ seed, count: Math.min(count, madeRecordsMax) })
  const bounds = { recordsMax: recordsPerRequest, bytesMax: bodyBytesMax }
  const batches = [...makeBatches(made, bounds)]
  const service = await startService({
    name: 'mixed',
    durability: 'disk',
    data: 'fresh',
    flags: options.flags,
  })
  const tokens = await service.makeTokens()

  const sampler = await startSampler(service, sampleMs)
  const startedAt = performance.now()
  const records = await sendBatches({
    baseUrl: service.baseUrl,
    tokens,
    batches: again(batches, count),
    connections,
  })
  const sentSeconds = (performance.now() - startedAt) / 1000
  const { segmentRecords } = await settle(service)
  const samples = untilRest(await sampler.stop())
  await service.stop()
  if (segmentRecords !== records) {
    throw new Error(`${records} records were acknowledged, but ${segmentRecords} are in segments`)
  }
  const restSeconds = Math.max(0, samples.at(-1)!.seconds - sentSeconds)
  return { records, sentSeconds, restSeconds, samples }
}

/** Without those at the end between which nothing happened any more. */
function untilRest(samples: readonly Sample[]): Sample[] {
  const state = ({ sealedRecords, compactions, journalRecords }: Sample) =>
    `${sealedRecords} ${compactions} ${journalRecords}`
  const last = state(samples.at(-1)!)
  return samples.slice(0, samples.findIndex(sample => state(sample) === last) + 1)
}

/** The batches, round and round, until they hold `count` records. */
function* again(batches: readonly Batch[], count: number): Generator<Batch, void, undefined> {
  let sent = 0
  while (sent < count) {
    for (const batch of batches) {
      if (sent >= count) return
      yield batch
      sent += batch.records
    }
  }
}
