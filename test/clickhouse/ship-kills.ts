/**
 * Kill -9 of `logstrata ship` at random moments, and the same command again, until it is through: to
 * ClickHouse, back, and there again. Each record is there once then. `npm run clickhouse-ship -- KILLS` runs
 * it for as long as wanted, `ship-kills.test.ts` for a few kills.
 */
import assert from 'node:assert/strict'
import { realDisk } from '../../src/disk/real-disk.ts'
import { readMove } from '../../src/store/clickhouse/move/move-file.ts'
import { sampleOf, storedAt } from '../store/random-store.ts'
import { startEngine } from './engine-process.ts'
import { fillWith, from, onClickHouse, onFiles, shipAlone, shipKilled, to } from './moving-runs.ts'
import { timesOfRows } from './store-on-engine.ts'

export interface KillsReport {
  /** Ends that came by SIGKILL, and those of them that came in the midst of a move. */
  readonly kills: number
  readonly midway: number
  /** Moves that were carried through, and compared. */
  readonly moves: number
  /** Of all comparisons: records that were not there, and those that were there once too often. */
  readonly lost: number
  readonly doubled: number
  /** Rows of ClickHouse after each move that do not agree with that. */
  readonly wrongRows: number
}

export interface KillsOptions {
  readonly kills: number
  readonly records: number
  /** Hears of each move that has ended. */
  readonly onMove?: (move: KillsReport & { readonly what: string }) => void
}

/** Of the engine, before each answer: so a move lasts, and is met in all of its steps. */
const answerDelayMs = 15
/** Kills of a move at most, which is left alone then. */
const killsOfMoveMax = 8
/** Of an attempt that is killed, from its first words on. */
const lastsMsMax = 1_000

/** `directory` is empty. Throws when a move ends with anything but success or its kill. */
export async function shipKills(
  directory: string,
  { kills, records, onMove = () => {} }: KillsOptions,
): Promise<KillsReport> {
  const engine = await startEngine(`${directory}/engine`)
  const places = { engine, dataDir: `${directory}/data` }
  const found = { kills: 0, midway: 0, moves: 0, lost: 0, doubled: 0, wrongRows: 0 }
  try {
    const before = await fillWith(places.dataDir, sampleOf(storedAt(timesOfRows), records))
    assert.equal(before.length, records)
    await engine.setFaults({ delayMs: answerDelayMs })
    for (const isThere = () => found.moves % 2 === 1; found.kills < kills || isThere(); ) {
      const flags = isThere() ? [...from, '--delete'] : to
      const killsMax = Math.min(killsOfMoveMax, kills - found.kills)
      for (let isThrough = false, killed = 0; !isThrough; killed++) {
        // The first steps are met as often as all later ones.
        const lastsMs = lastsMsMax * Math.random() ** 2
        const ran =
          killed < killsMax ? shipKilled(places, flags, lastsMs) : shipAlone(places, flags)
        const { code, complained } = await ran
        isThrough = code === 0
        if (isThrough) continue
        assert.equal(code, 'SIGKILL', complained)
        found.kills++
        if (readMove(places.dataDir, realDisk) !== undefined) found.midway++
      }
      found.moves++
      const after = await (isThere() ? onClickHouse(places) : onFiles(places))
      const { lost, doubled } = difference(before, after)
      found.lost += lost
      found.doubled += doubled
      const answer = await engine.ask('SELECT count(), uniqExact(Sequence) FROM otel_logs')
      const rows = isThere() ? records : 0
      if (answer.trim() !== `${rows}\t${rows}`) found.wrongRows++
      onMove({ what: flags.join(' '), ...found })
    }
    return found
  } finally {
    await engine.kill()
  }
}

/** Records that are not in `after`, and those that are there more often. Numbers may be others there. */
function difference(before: readonly unknown[], after: readonly unknown[]) {
  const left = new Map<string, number>()
  const add = (records: readonly unknown[], one: number) => {
    for (const record of records) {
      const { id: _, ...rest } = record as { readonly id: string }
      const text = JSON.stringify(rest)
      left.set(text, (left.get(text) ?? 0) + one)
    }
  }
  add(before, 1)
  add(after, -1)
  let [lost, doubled] = [0, 0]
  for (const count of left.values()) {
    lost += Math.max(0, count)
    doubled += Math.max(0, -count)
  }
  return { lost, doubled }
}
