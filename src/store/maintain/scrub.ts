/**
 * The scrub: finds damage at rest before a query needs what is damaged.
 *
 * Each interval it compares what the index says of every segment with what the segment's footer said, and
 * then reads on where it stopped: as many bytes as it takes so that all of segments and journal are read
 * at the rate that is set. It works in a thread of its own that gives way to all others, a part of a
 * megabyte or a block at a time, with pauses between them.
 */
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { emptySummary } from '../../index/segment-summary.ts'
import type { BlockRef, JournalRef } from '../../index/source.ts'
import { journalPath } from '../../journal/files.ts'
import type { JournalRanges } from '../view/journal-ranges.ts'
import type { QueriesUnderWay } from '../view/queries-under-way.ts'
import type { LiveSegment, Segments } from '../view/segments.ts'
import { type Findings, segmentName } from './findings.ts'
import { differenceText, differsFrom } from './index-check.ts'
import type { DamagedPart } from './scrub-tasks.ts'
import type { ScrubThread } from './scrub-thread.ts'

/** Read at a time; a block may be longer. */
const partBytes = 1024 * 1024
/** How much faster than on the average it reads while it does: the thread may end sooner. */
const burst = 8

export interface ScrubOptions {
  readonly intervalMs: number
  /** 0: only the index is looked at. */
  readonly bytesPerSecond: number
}

export interface ScrubParts extends ScrubOptions {
  readonly now: () => number
  readonly paths: { readonly journal: string; readonly index: string }
  readonly segments: Segments
  readonly ranges: Pick<JournalRanges, 'refs' | 'hasFile'>
  readonly queries: QueriesUnderWay
  readonly thread: Pick<ScrubThread, 'index' | 'segment' | 'journal' | 'close'>
  readonly findings: Findings
  readonly logger: Logger
  /** Has the index rebuilt. */
  readonly rebuildIndex: () => Promise<void>
  /** Takes a block out of sight. */
  readonly onDamagedBlock: (source: BlockRef, reason: string) => void
  /** Says that a part of a journal file is damaged, and keeps it for a person. */
  readonly onDamagedFrames: (path: string, part: DamagedPart) => void
}

export interface ScrubStats {
  /** When the last pass ended; 0 before that. */
  readonly scrubPassAt: number
  readonly scrubbedBytes: number
  /** Times that all was read. */
  readonly scrubPasses: number
  /** Of the last of them, and of no time before the first. */
  readonly scrubPassMs: number
}

/** One reading of everything that there was when it began. */
interface Pass {
  readonly startedAt: number
  /** Numbers of segments that are still to be read, the first perhaps in part. */
  readonly segments: number[]
  /** Where to continue in the first of them. */
  from: number
  /** What is still to be read of the journal; it comes last, and is known only then. */
  journal: JournalRef[] | undefined
}

export class Scrub {
  readonly #parts: ScrubParts
  readonly #timer: NodeJS.Timeout
  #running: Promise<void> | undefined
  readonly #closing = new AbortController()
  #pass: Pass
  /** Bytes that may still be read in this interval; below 0 when the last part was longer. */
  #budget = 0
  #bytes = 0
  #passes = 0
  #passMs = 0
  #passAt = 0

  constructor(parts: ScrubParts) {
    this.#parts = parts
    this.#pass = this.#newPass()
    // Otherwise a service that is restarted often would read the first segments only.
    const { segments } = this.#pass
    segments.push(...segments.splice(0, Math.floor(Math.random() * segments.length)))
    this.#timer = setInterval(() => this.#wake(), parts.intervalMs)
    this.#timer.unref()
  }

  /** Reads a segment at once, in which damage was met. */
  lookAt(segment: number): void {
    this.#pass.segments.unshift(segment)
    this.#pass.from = 0
    this.#wake()
  }

  stats(): ScrubStats {
    return {
      scrubbedBytes: this.#bytes,
      scrubPasses: this.#passes,
      scrubPassMs: this.#passMs,
      scrubPassAt: this.#passAt,
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#closing.abort()
    await this.#parts.thread.close()
    await this.#running
  }

  #wake(): void {
    this.#running ??= this.#step().finally(() => {
      this.#running = undefined
    })
  }

  /** What is done in one interval. Never rejects. */
  async #step(): Promise<void> {
    const { intervalMs, bytesPerSecond, logger } = this.#parts
    try {
      await this.#checkIndex()
      const share = (bytesPerSecond * intervalMs) / 1_000
      this.#budget = Math.min(this.#budget, 0) + share
      while (this.#budget > 0 && !this.#closing.signal.aborted) {
        const bytes = await this.#scrubNext()
        if (bytes === undefined) break
        this.#budget -= bytes
        this.#bytes += bytes
        const ms = (bytes / (burst * bytesPerSecond)) * 1_000
        await pause(ms, undefined, { signal: this.#closing.signal, ref: false })
      }
    } catch (error) {
      if (this.#closing.signal.aborted) return
      logger.error({ err: error }, 'the scrub failed; it is tried again')
    }
  }

  /** Compares what the index says with the footers, and has it rebuilt when they differ. */
  async #checkIndex(): Promise<void> {
    const { segments, thread, paths, findings, logger, rebuildIndex } = this.#parts
    const before = [...segments.all]
    const report = await thread.index(paths.index)
    // What came or went meanwhile is in the one list or in the other, as it happened.
    const both = before.filter(({ number }) => segments.has(number))
    let fault: string | undefined
    if ('fault' in report) fault = `is damaged (${report.fault})`
    else {
      const differing = differsFrom(report, both)
      const [first] = differing
      if (first !== undefined) {
        const difference = differenceText(report.get(first.number) ?? emptySummary, first.summary)
        fault = `differed from the footers of ${differing.length} segments (of ${segmentName(first)}, ${difference})`
      }
    }
    if (fault === undefined) return
    logger.warn(`the index ${fault}; building it anew`)
    await rebuildIndex()
    findings.noteIndex(fault)
  }

  /** Reads the next part. Returns its bytes; undefined when a pass has ended. */
  async #scrubNext(): Promise<number | undefined> {
    const { segments, ranges, queries } = this.#parts
    const pass = this.#pass
    const leave = queries.enter() // No file is deleted meanwhile.
    try {
      const number = pass.segments[0]
      if (number !== undefined) {
        const segment = segments.get(number)
        const next = segment && (await this.#scrubSegment(segment, pass.from))
        pass.from = next?.from ?? 0
        if (next?.from === undefined) pass.segments.shift()
        return next?.bytes ?? 0
      }
      pass.journal ??= ranges.refs()
      const range = pass.journal.shift()
      if (range !== undefined) return ranges.hasFile(range.file) ? await this.#scrubRange(range) : 0
    } finally {
      leave()
    }
    this.#passes++
    this.#passMs = performance.now() - pass.startedAt
    this.#passAt = this.#parts.now()
    this.#pass = this.#newPass()
    return undefined
  }

  #newPass(): Pass {
    const numbers = [...this.#parts.segments.all].map(({ number }) => number)
    const segments = numbers.sort((a, b) => a - b)
    return { startedAt: performance.now(), segments, from: 0, journal: undefined }
  }

  async #scrubSegment(
    live: LiveSegment,
    from: number,
  ): Promise<{ bytes: number; from: number | undefined }> {
    const { thread, onDamagedBlock } = this.#parts
    const { path, number: segment } = live
    const report = await thread.segment({ path, segment, from, bytesMax: partBytes })
    if ('unreadable' in report) {
      this.#noteSegment('file', live, `the file cannot be read (${report.unreadable})`)
      return { bytes: 0, from: undefined }
    }
    for (const { source, reason } of report.damagedBlocks) onDamagedBlock(source, reason)
    if (report.fault !== undefined) this.#noteSegment('footer', live, report.fault)
    return { bytes: report.bytes, from: report.next }
  }

  #noteSegment(kind: 'footer' | 'file', segment: LiveSegment, reason: string): void {
    const { findings, segments, logger } = this.#parts
    const name = segmentName(segment)
    const isGone = () => !segments.has(segment.number)
    if (findings.note(kind, name, reason, isGone)) {
      logger.error({ segment: name, reason }, 'a segment is damaged')
    }
  }

  async #scrubRange({ file, offset, bytes }: JournalRef): Promise<number> {
    const { thread, paths, ranges, findings, logger, onDamagedFrames } = this.#parts
    const path = journalPath(paths.journal, file)
    const name = basename(path)
    const isGone = () => !ranges.hasFile(file)
    const report = await thread.journal({ path, file, offset, bytes })
    if ('unreadable' in report) {
      const reason = `the file cannot be read (${report.unreadable})`
      if (findings.note('file', name, reason, isGone)) {
        logger.error({ file: name, reason }, 'a journal file is damaged')
      }
      return 0
    }
    for (const part of report.damaged) {
      const reason = `${part.bytes} bytes hold no intact frame; their records are lost`
      if (findings.note('frame', `${name} at ${part.offset}`, reason, isGone)) {
        onDamagedFrames(path, part)
      }
    }
    return bytes
  }
}
