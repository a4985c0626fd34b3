/** `logstrata upgrade`: rewrites the segments of older formats, in a directory that no service has. */
import fs from 'node:fs'
import { join, relative } from 'node:path'
import { ConfigError } from '../../config/settings.ts'
import { messageWithCauses } from '../../problems.ts'
import { formatVersion } from '../../segment/file-header.ts'
import { SegmentVersionUnknown } from '../../segment/segment-error.ts'
import { refuseMove } from '../../store/clickhouse/move/move-file.ts'
import {
  type UpgradeProgress,
  type UpgradeReport,
  upgradeSegments,
} from '../../store/maintain/upgrade.ts'
import { noticeRestored } from '../../store/restored.ts'
import { refuseNewerSegments } from '../../store/view/segments.ts'
import { CommandError } from '../command-error.ts'
import { holdDataDir, loggerFor, refuseOtherUser } from '../held-directory.ts'
import { shareTexts, startProgressLine } from '../import/progress.ts'
import { printTo } from '../output.ts'
import { jsonLine, printable } from '../printable.ts'
import { byteText, numberText } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { readUpgradeOptions } from './options.ts'

/**
 * Resolves with 0 when no segment of an older format is left, 1 when there is, 130 when interrupted. Throws
 * ConfigError and CommandError.
 */
export async function runUpgrade(argv: readonly string[], terminal: Terminal): Promise<number> {
  const options = readUpgradeOptions(argv, terminal.environment)
  const { stdout, stderr } = terminal
  const interrupt = terminal.interrupts()
  const startedAtMs = performance.now()
  const report = await upgradeIn(options.dataDir, options.quiet, terminal, interrupt)
  const left = report.left.map(({ path, reason }) => {
    return { path: relative(options.dataDir, path), reason }
  })
  const isInterrupted = interrupt.aborted && report.upgraded + left.length < report.found
  if (options.json) {
    const { segments, found, upgraded, bytesBefore, bytesAfter } = report
    const counts = { segments, found, upgraded, bytesBefore, bytesAfter, left, isInterrupted }
    await printTo(stdout, output => output.write(jsonLine({ format: formatVersion, ...counts })))
  }
  for (const { path, reason } of left) {
    stderr.write(`logstrata: ${printable(`${path} stays as it is: ${reason}`)}\n`)
  }
  if (!options.quiet) {
    const elapsedMs = performance.now() - startedAtMs
    stderr.write(`${summary(report, options.dataDir, elapsedMs, isInterrupted)}\n`)
  }
  if (isInterrupted) return 130
  return report.upgraded === report.found ? 0 : 1
}

async function upgradeIn(
  dataDir: string,
  isQuiet: boolean,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<UpgradeReport> {
  if (!fs.existsSync(join(dataDir, 'segments'))) {
    throw new ConfigError('--data-dir', `there is no data directory at ${JSON.stringify(dataDir)}`)
  }
  const letGo = holdDataDir(dataDir)
  let stopProgress: (() => void) | undefined
  try {
    const logger = loggerFor(terminal)
    refuseOtherUser(dataDir)
    refuseNewerSegments(dataDir)
    refuseMove(dataDir)
    noticeRestored(dataDir, logger)
    let progress: UpgradeProgress
    let startedAtMs = 0
    return await upgradeSegments({
      dataDir,
      logger,
      signal,
      onProgress(now) {
        progress = now
        if (isQuiet || stopProgress !== undefined) return
        startedAtMs = performance.now()
        const line = () => progressText(progress, performance.now() - startedAtMs)
        stopProgress = startProgressLine(terminal, line)
      },
    })
  } catch (error) {
    if (error instanceof SegmentVersionUnknown) {
      throw new CommandError(error.message, { cause: error })
    }
    if (!(error instanceof Error)) throw error
    throw new CommandError(`cannot upgrade: ${messageWithCauses(error)}`, { cause: error })
  } finally {
    stopProgress?.()
    letGo()
  }
}

/** ` 45% █████████···········  3 of 12 segments  1.2 GiB of 4.5 GiB  0:42 left` */
function progressText({ done, total, doneBytes, totalBytes }: UpgradeProgress, elapsedMs: number) {
  const { bar, left } = shareTexts(doneBytes / totalBytes, elapsedMs)
  const bytes = `${byteText(doneBytes)} of ${byteText(totalBytes)}`
  return `${bar}  ${numberText(done)} of ${numberText(total)} segments  ${bytes}${left}`
}

function summary(
  { segments, found, upgraded, bytesBefore, bytesAfter, isDiskFull }: UpgradeReport,
  dataDir: string,
  elapsedMs: number,
  isInterrupted: boolean,
): string {
  if (found === 0) {
    const all =
      segments === 0 ? 'there are no segments' : `of ${numberText(segments)} segments all are`
    return `nothing to upgrade in ${printable(dataDir)}: ${all} of format ${formatVersion}`
  }
  const seconds = (elapsedMs / 1000).toFixed(1)
  const sizes = `${byteText(bytesBefore)} are now ${byteText(bytesAfter)}`
  const count = upgraded === found ? '' : `${numberText(upgraded)} of `
  const all = found === 1 ? '1 segment' : `${numberText(found)} segments`
  const done = `upgraded ${count}${all} to format ${formatVersion}, ${sizes}, in ${seconds} s`
  if (isInterrupted) return `${done}; interrupted: run it again for the rest`
  return isDiskFull ? `${done}; the disk is full: make room and run it again` : done
}
