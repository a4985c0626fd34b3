/**
 * Places at which a test may end the process: the variable CRASH_AT names one, and the process kills
 * itself there as `kill -9` would. The one variable that is read outside of `config.ts`, because it is
 * not for people.
 */

/** Every step after which files and index disagree for a moment. */
export type CrashPoint =
  | 'seal:one-written'
  | 'seal:written'
  | 'seal:indexed'
  | 'seal:swapped'
  | 'seal:removed'
  | 'receipts:written'
  | 'receipts:removed-one'
  | 'ship:sent'
  | 'ship:noted'
  | 'ship:removed'
  | 'move:sent'
  | 'move:noted'
  | 'move:counted'
  | 'move:removed-one'
  | 'move:sealed'
  | 'compact:written'
  | 'compact:indexed'
  | 'compact:swapped'
  | 'upgrade:written'
  | 'upgrade:indexed'
  | 'upgrade:removed'
  | 'retention:chosen'
  | 'retention:removed-one'
  | 'rebuild:added'

const chosen = process.env.CRASH_AT

/** Kills this process, as `kill -9` would, if `CRASH_AT` names the point; otherwise nothing happens. */
export function crashPoint(point: CrashPoint): void {
  if (point === chosen) process.kill(process.pid, 'SIGKILL')
}
