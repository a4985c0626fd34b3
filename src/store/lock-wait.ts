/**
 * Takes the lock of a data directory as soon as its holder releases it, when that is about to end: a
 * supervisor starts the next process while the last one still answers what is under way.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { DataDirLocked, lockDataDir } from './lock.ts'

export interface LockPatience {
  /** How long a holder may take that is ending, ms: answers under way, syncing, closing. */
  readonly endingMs: number
  /** How long one may take to say that it ends, ms: it has just got its signal. */
  readonly noticeMs: number
  /** Called once, with the process that is waited for, when that is ending. */
  readonly onWait: (pid: number) => void
}

/** How often it is looked at, ms. */
const intervalMs = 50

/** As `lockDataDir`, a little later. Throws DataDirLocked when the holder stays. */
export async function lockWhenFree(dataDir: string, patience: LockPatience): Promise<() => void> {
  const startedAt = performance.now()
  let isTold = false
  for (;;) {
    try {
      return lockDataDir(dataDir)
    } catch (error) {
      if (!(error instanceof DataDirLocked) || error.pid === undefined) throw error
      const waitMs = error.isEnding ? patience.endingMs : patience.noticeMs
      if (performance.now() - startedAt > waitMs) throw error
      if (error.isEnding && !isTold) {
        isTold = true
        patience.onWait(error.pid)
      }
    }
    await delay(intervalMs)
  }
}
