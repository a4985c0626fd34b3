/** `logstrata ship`: moves records to ClickHouse and back, in a directory that no service has. */
import { isDiskFull } from '../../disk/disk-full.ts'
import { realDisk } from '../../disk/real-disk.ts'
import { messageWithCauses } from '../../problems.ts'
import { SegmentVersionUnknown } from '../../segment/segment-error.ts'
import { ClickHouseFailed } from '../../store/clickhouse/connection.ts'
import { Layout } from '../../store/clickhouse/layout.ts'
import { moveFromClickHouse } from '../../store/clickhouse/move/from-clickhouse.ts'
import {
  type MoveProgress,
  MoveRefused,
  type MoveReport,
} from '../../store/clickhouse/move/move.ts'
import { SealFailed } from '../../store/clickhouse/move/open-records.ts'
import { moveToClickHouse } from '../../store/clickhouse/move/to-clickhouse.ts'
import { noticeRestored } from '../../store/restored.ts'
import { refuseNewerSegments } from '../../store/view/segments.ts'
import { CommandError } from '../command-error.ts'
import { holdDataDir, loggerFor, refuseOtherUser } from '../held-directory.ts'
import { startProgressLine } from '../import/progress.ts'
import { printTo } from '../output.ts'
import { jsonLine, printable } from '../printable.ts'
import type { Terminal } from '../terminal.ts'
import { readShipOptions, type ShipCommandOptions } from './options.ts'
import { beginText, damageTexts, daysTable, outcomeText, progressText } from './report.ts'

/**
 * Resolves with 0 when all records are moved, 1 when not, 130 when interrupted. Throws ConfigError and
 * CommandError.
 */
export async function runShip(argv: readonly string[], terminal: Terminal): Promise<number> {
  const options = readShipOptions(argv, terminal.environment)
  const { stdout, stderr } = terminal
  const startedAtMs = performance.now()
  const report = await shipIn(options, terminal)
  const { outcome, days, records, damaged } = report
  await printTo(stdout, async output => {
    if (options.json) {
      const { direction } = options
      await output.write(jsonLine({ direction, outcome, records, days, damaged }))
    } else if (days.length > 0) {
      for (const line of daysTable(days)) await output.write(`${line}\n`)
    }
  })
  for (const text of damageTexts(damaged, options)) stderr.write(`logstrata: ${printable(text)}\n`)
  if (!options.quiet || !isDone(outcome)) {
    const elapsedMs = performance.now() - startedAtMs
    stderr.write(`${printable(outcomeText(report, options, elapsedMs))}\n`)
  }
  return outcome === 'interrupted' ? 130 : isDone(outcome) ? 0 : 1
}

function isDone(outcome: MoveReport['outcome']): boolean {
  return outcome === 'moved' || outcome === 'nothing'
}

async function shipIn(options: ShipCommandOptions, terminal: Terminal): Promise<MoveReport> {
  const { dataDir, direction, quiet, clickhouseUrl, clickhouseCluster, patienceMs } = options
  const layout = new Layout(clickhouseCluster)
  const signal = terminal.interrupts()
  const letGo = holdDataDir(dataDir)
  let stopProgress: (() => void) | undefined
  let progress: MoveProgress | undefined
  try {
    const logger = loggerFor(terminal)
    refuseOtherUser(dataDir)
    refuseNewerSegments(dataDir)
    noticeRestored(dataDir, logger)
    const moved = {
      ...{
        url: layout.urlOf(clickhouseUrl),
        layout,
        dataDir,
        patienceMs,
        disk: realDisk,
        logger,
        signal,
      },
      onBegin(sizes: Parameters<typeof beginText>[0]) {
        if (quiet) return
        terminal.stderr.write(`${printable(beginText(sizes, options))}\n`)
        const startedAtMs = performance.now()
        const line = () => progressText(progress, performance.now() - startedAtMs)
        stopProgress = startProgressLine(terminal, line)
      },
      onProgress(now: MoveProgress) {
        progress = now
      },
    }
    return direction === 'to'
      ? await moveToClickHouse({ ...moved, ...options })
      : await moveFromClickHouse({ ...moved, ...options })
  } catch (error) {
    if (signal.aborted && error instanceof ClickHouseFailed) {
      const records = progress?.records ?? 0
      return { outcome: 'interrupted', records, days: [], damaged: [] }
    }
    throw commandErrorOf(error)
  } finally {
    stopProgress?.()
    letGo()
  }
}

/** What went wrong, and what to do about it. */
function commandErrorOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof CommandError) return error
  const as = (text: string) => new CommandError(text, { cause: error })
  if (error instanceof SegmentVersionUnknown || error instanceof MoveRefused) {
    return as(error.message)
  }
  if (error instanceof ClickHouseFailed) {
    return error.code === undefined
      ? as(`ClickHouse cannot be reached: ${error.message}; when it can, run this again`)
      : as(`ClickHouse refuses: ${error.message}; when that is put right, run this again`)
  }
  if (isDiskFull(error) || (error instanceof SealFailed && error.isDiskFull)) {
    return as(`the disk is full: make room and run it again (${error.message})`)
  }
  return as(`cannot move the records: ${messageWithCauses(error)}`)
}
