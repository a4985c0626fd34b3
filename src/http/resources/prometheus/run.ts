/** Runs what Prometheus' clients ask within its bounds, and says beside the answer what is odd about it. */

import type { SelectStats } from '../../../store/store.ts'
import type { FormRequest } from '../../route.ts'
import type { QueryDependencies } from '../query/bounds.ts'
import type { Notes } from './answers.ts'
import { readDurationMs } from './parameters.ts'

/** Runs `work` within the service's bounds, and within the request's own where it has one. */
export function runAsked<T>(
  { config, runner }: QueryDependencies,
  { parameters, signal, caller }: FormRequest,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const asked = readDurationMs(parameters, 'timeout', config.queryTimeoutMs)
  const timeoutMs = Math.min(asked, config.queryTimeoutMs)
  return runner.run(work, { timeoutMs, clientSignal: signal(), asker: caller.apiKey?.id })
}

/** What is to be said of an answer. */
interface Odd {
  readonly isCut: boolean
  /** Records without a number to take. */
  readonly skippedCount: number
  /** Of what was asked of the store, where that is known. */
  readonly cost?: SelectStats | undefined
  /** The query that plain words became, where it was written as words. */
  readonly interpretedAs?: string | undefined
}

/** What whoever asked should know of a result, in the words of Prometheus where it has them. */
export function notesOf({ isCut, skippedCount, cost, interpretedAs }: Odd): Notes {
  const warnings = isCut ? ['results truncated due to limit'] : []
  const damagedCount = (cost?.damagedBlocks ?? 0) + (cost?.damagedFrames ?? 0)
  if (damagedCount > 0) {
    warnings.push(`parts of the data are damaged and not in the answer: ${damagedCount}`)
  }
  const infos = interpretedAs === undefined ? [] : [`the words were read as: ${interpretedAs}`]
  if (skippedCount > 0) {
    const records = skippedCount === 1 ? '1 record has' : `${skippedCount} records have`
    infos.push(`PromQL info: ${records} no number to take, and no part in the result`)
  }
  return { warnings, infos }
}
