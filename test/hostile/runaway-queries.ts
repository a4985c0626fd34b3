/**
 * Queries whose regular expression takes as long as the service lets it: each time another one, that
 * nothing has compiled or tried before, over everything that there is.
 */
import type { ServiceProcess } from '../service/service-process.ts'

export interface RunawayQueries {
  /** How many were begun, and the statuses of those that were answered. */
  readonly begun: () => number
  readonly statuses: ReadonlySet<number>
  /** Asks for no more; resolves when the last is answered. */
  end(): Promise<void>
}

/** Texts in each of which such an expression begins to match at every letter, and never ends. */
export function runawayText(i: number): string {
  return Array.from({ length: 900 }, (_, n) =>
    String.fromCharCode(97 + ((n * n + n * i) % 25)),
  ).join('')
}

/** Keeps `count` of them under way until `end`, each for `timeoutMs` at most. */
export function keepRunning(
  service: ServiceProcess,
  count: number,
  timeoutMs: number,
): RunawayQueries {
  const statuses = new Set<number>()
  let begun = 0
  let isOver = false
  const one = async () => {
    while (!isOver) {
      const salt = ++begun
      const query = `logs |~ "[a-z][a-y]{300}[0-9]{1,${salt}}"`
      statuses.add((await service.query(query, { timeoutMs })).status)
    }
  }
  const all = Promise.all(Array.from({ length: count }, one))
  return {
    begun: () => begun,
    statuses,
    async end() {
      isOver = true
      await all
    },
  }
}
