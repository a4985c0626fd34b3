/**
 * Append-only files that hold every accepted record, and the promise that goes with them: when an
 * append resolves, its records are on disk (durability `disk`) or at least with the operating system
 * (`written`), and the next query finds them.
 *
 * Group commit: while one write and its fdatasync are under way, what arrives gathers in the next
 * group; all appends of a group share one promise. There is no timer and no artificial delay. The
 * next group is handed to the disk before the senders of the last one are answered, so that the disk
 * works while they are. Only parts of large requests are held back, while others send (`part-pace.ts`).
 *
 * A full disk is the sender's to wait for: the group is taken back, the file cut to where it stood,
 * and the next group tries again. Any other failure is final: Linux reports a failed fdatasync once
 * and then forgets which pages were lost, so the journal refuses everything and the process ends.
 */
import type { Config } from '../config/config.ts'
import type { AppendFile, Disk } from '../disk/disk.ts'
import { isDiskFull, ShortWrite } from '../disk/disk-full.ts'
import { ProblemError } from '../problems.ts'
import type { LogRecord, Sequence, Stream } from '../record.ts'
import { BatchWriter, type EncodedBatch, type StreamSummary } from './batch-writer.ts'
import { encodeFileHeader, fileHeaderBytes, journalPath } from './files.ts'
import { encodeFrameHeader, type FrameHeader, type FrameSpan, frameHeaderBytes } from './frame.ts'
import { isLarge, LargeAppends, type OnWritten, type Part } from './large-appends.ts'
import { PartPace } from './part-pace.ts'
import {
  type FrameReceipts,
  packReceiptsBehind,
  type RequestReceipt,
  receiptBytes,
} from './receipts.ts'

/** Bytes of text after which a batch is closed: large enough to scan fast, small enough that
 *  rebuilding one record of an answer reads little. */
export const batchBytesTarget = 256 * 1024

/** What is left free on the disk beside a large request: for the small ones meanwhile, and for sealing. */
const spareBytes = 32 * 1024 * 1024

/** How much of what a file may have it has when the next one is begun. To make a file and sync its name
 *  takes some ten calls, one after the other; appends waited for them. */
const prepareAtShare = 0.75

const noKeys = new Uint8Array(0)

/** Seconds that a sender is asked to wait when the disk is full or the queue is. */
const fullRetrySeconds = 5
const overloadRetrySeconds = 1

/** A frame that has just become durable. */
export interface CommittedFrame extends FrameSpan {
  readonly header: FrameHeader
  readonly streams: readonly StreamSummary[]
  /** Under which keys its records were sent. */
  readonly receipts?: FrameReceipts | undefined
}

export interface JournalOptions {
  readonly directory: string
  readonly disk: Pick<Disk, 'create' | 'remove' | 'syncDirectory'>
  readonly config: Pick<
    Config,
    | 'durability'
    | 'journalFileBytes'
    | 'journalFileRecords'
    | 'journalFileAgeMs'
    | 'pendingBytesMax'
  >
  readonly now: () => number
  readonly partPace?: PartPace
  /** Of the disk. */
  readonly freeBytes: () => Promise<number>
  /** Higher than every journal file and every record that there is or was. */
  readonly nextFile: number
  readonly nextSequence: Sequence
  /** Makes frames visible to queries; called just before their appends resolve. */
  readonly onCommit: (frames: readonly CommittedFrame[]) => void
  /** No more frames will come for this file. */
  readonly onFileClosed: (file: number, bytes: number) => void
  /** The journal has refused its last append; the process should end. Called once. */
  readonly onFatal: (error: Error) => void
}

/** What is written and synced together. */
interface Group {
  readonly batches: EncodedBatch[]
  bytes: number
  /** Of large requests, which are answered with the last of theirs. */
  part: Part | undefined
  readonly committed: PromiseWithResolvers<void>
}

/** Makes a group's frames visible and answers its senders. */
type Settle = () => void

/** The file that is being appended to. */
interface ActiveFile {
  readonly number: number
  readonly handle: AppendFile
  readonly createdAt: number
  /** The end of the last committed frame. */
  bytes: number
  records: number
}

export interface JournalStats {
  readonly pendingBytes: number
  readonly commitCount: number
  readonly writtenBytes: number
  /** Time of the last write and its fdatasync, or of those under way when they take longer, ms. */
  readonly lastCommitMs: number
  /** Of the last commit, if it was refused for lack of room; 0 if it was not. */
  readonly refusedBytes: number
}

export class Journal {
  readonly #options: JournalOptions
  #active: ActiveFile | undefined
  /** The file after it, begun ahead. */
  #next: Promise<ActiveFile> | undefined
  #nextFile: number
  /** Every file of a lower number is closed and on disk. */
  #closedBelow: number
  #nextSequence: Sequence
  #group = newGroup()
  /** Gathers the single records of the group. */
  readonly #writer = new BatchWriter()
  /** Of records in it. */
  #writerReceipts: RequestReceipt[] = []
  readonly #large = new LargeAppends()
  readonly #pace: PartPace
  /** Ends a rest between two parts, when there is one. */
  #endRest: (() => void) | undefined
  /** Bytes of the group that is being committed. */
  #committingBytes = 0
  #running: Promise<void> | undefined
  #refusal: ProblemError | undefined
  /** Somebody waits for the file to be closed. */
  #rotation: PromiseWithResolvers<void> | undefined
  #commitCount = 0
  #writtenBytes = 0
  #lastCommitMs = 0
  #refusedBytes = 0
  /** While a commit is under way. */
  #commitStartedAt: number | undefined

  constructor(options: JournalOptions) {
    this.#options = options
    this.#pace = options.partPace ?? new PartPace()
    this.#nextFile = options.nextFile
    this.#closedBelow = options.nextFile
    this.#nextSequence = options.nextSequence
  }

  /**
   * Appends one record. Throws or rejects with ProblemError `ingest_overloaded`, `storage_full`,
   * `storage_failed` or `stopping`; the record is then not acknowledged and may be sent again.
   */
  append(record: LogRecord, stream: Stream, receipt?: RequestReceipt): Promise<void> {
    return this.appendWith(writer => writer.add(record, stream), receipt)
  }

  /** Appends the few records that `add`, called at once, adds to a batch: one or more, up to some
   *  hundred KiB. `receipt`: what is to be known of them as long as they are. Refuses as `append` does. */
  appendWith(add: (writer: BatchWriter) => void, receipt?: RequestReceipt): Promise<void> {
    const group = this.#admit()
    const writer = this.#writer
    const before = writer.approximateBytes
    add(writer)
    group.bytes += writer.approximateBytes - before
    if (receipt !== undefined) this.#writerReceipts.push(receipt)
    if (writer.approximateBytes >= batchBytesTarget) this.#closeBatch()
    return group.committed.promise
  }

  /**
   * Appends batches encoded elsewhere, at least one: all in one commit, or, when they are large, in several
   * (`large-appends.ts`), and then each is given to `onWritten` as soon as it is on disk. Refuses as `append`
   * does.
   */
  appendBatches(batches: readonly EncodedBatch[], onWritten?: OnWritten): Promise<void> {
    if (isLarge(batches)) return this.#appendLarge(batches, onWritten)
    const group = this.#admit()
    this.#closeBatch() // What came first is written first.
    for (const batch of batches) {
      group.batches.push(batch)
      group.bytes += batch.payloadBytes + receiptBytes(batch.receipts)
    }
    return group.committed.promise
  }

  async #appendLarge(batches: readonly EncodedBatch[], onWritten?: OnWritten): Promise<void> {
    this.checkRoom()
    // Asked before: what is stored in part would be stored again when it is sent again.
    const bytes = batches.reduce((sum, { payloadBytes }) => sum + payloadBytes, spareBytes)
    if ((await this.#options.freeBytes()) < bytes) throw diskFullProblem()
    this.#admit()
    this.#closeBatch()
    await this.#large.add(batches, onWritten)
  }

  /** Throws what `append` would throw now, so that nothing need be read for what would be refused. */
  checkRoom(): void {
    if (this.#refusal !== undefined) throw this.#refusal
    const { pendingBytesMax } = this.#options.config
    if (this.#pendingBytes < pendingBytesMax) return
    throw new ProblemError(
      'ingest_overloaded',
      `${pendingBytesMax} bytes are already waiting for the disk; try again shortly`,
      { retryAfterSeconds: overloadRetrySeconds },
    )
  }

  /** Closes the file if it is old enough, also when nothing is appended; to be asked now and then. */
  rotateIfOld(): void {
    // A failure is reported by `onFatal`.
    if (this.#active !== undefined && this.#isOld(this.#active)) this.rotate().catch(() => {})
  }

  /**
   * Closes the file, also while appends continue; the next one begins a new file. Resolves when it is
   * closed and on disk, with a number: every file below it is closed. Rejects when the disk failed.
   */
  async rotate(): Promise<number> {
    this.#rotation ??= Promise.withResolvers<void>()
    const { promise } = this.#rotation
    this.#wake()
    await promise
    return this.#closedBelow
  }

  stats(): JournalStats {
    return {
      pendingBytes: this.#pendingBytes,
      commitCount: this.#commitCount,
      writtenBytes: this.#writtenBytes,
      lastCommitMs: Math.max(this.#lastCommitMs, this.#underWayMs()),
      refusedBytes: this.#refusedBytes,
    }
  }

  /** Refuses further appends, commits what is under way and closes the file. */
  async close(): Promise<void> {
    this.#refusal ??= new ProblemError('stopping', 'the service is stopping', {
      retryAfterSeconds: overloadRetrySeconds,
    })
    await this.#running
    await this.#closeActive()
    await this.#discardNext()
  }

  get #pendingBytes(): number {
    return this.#committingBytes + this.#group.bytes + this.#large.bytes
  }

  get #isIdle(): boolean {
    return !this.#hasSmall && this.#large.isEmpty
  }

  /** Whether the next group has anything but parts of large requests. */
  get #hasSmall(): boolean {
    return this.#group.batches.length > 0 || this.#writer.recordCount > 0
  }

  #closeBatch(): void {
    if (this.#writer.recordCount === 0) return
    const batch = this.#writer.encode()
    const requests = this.#writerReceipts
    if (requests.length === 0) {
      this.#group.batches.push(batch)
      return
    }
    this.#writerReceipts = []
    const receipts = { time: 0, eventKeys: noKeys, requests }
    this.#group.batches.push({ ...batch, receipts })
  }

  #underWayMs(): number {
    const startedAt = this.#commitStartedAt
    return startedAt === undefined ? 0 : performance.now() - startedAt
  }

  #admit(): Group {
    this.checkRoom()
    this.#wake()
    return this.#group
  }

  #wake(): void {
    // Not at once: every request that this turn of the event loop brings shall share the commit.
    this.#endRest?.()
    this.#running ??= new Promise<void>(resolve => setImmediate(resolve)).then(() => this.#run())
  }

  async #run(): Promise<void> {
    let settle: Settle | undefined
    while (settle !== undefined || this.#rotation !== undefined || !this.#isIdle) {
      // First: under load there may be no end of groups.
      if (this.#rotation !== undefined || this.#isIdle) {
        settle?.()
        settle = undefined
        await this.#rotateIfAsked()
        continue
      }
      const restMs = this.#hasSmall ? 0 : this.#pace.restMs
      if (restMs > 0) {
        settle?.()
        settle = undefined
        await this.#rest(restMs)
        continue
      }
      let committing: Promise<Settle>
      try {
        committing = this.#commit(this.#takeGroup())
      } finally {
        settle?.() // The disk is at work already while the senders of the group before are answered.
        settle = undefined
      }
      settle = await committing
    }
    this.#running = undefined // At once: what comes while we wait for anything would not wake us.
  }

  /** Waits so long, or until something else is to be done than to write parts. */
  async #rest(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    this.#endRest = () => setImmediate(resolve) // As `#wake`, whose caller has not added anything yet.
    await promise
    this.#endRest = undefined
    clearTimeout(timer)
  }

  /** What came last, and a part of the large requests when it is their turn. */
  #takeGroup(): Group {
    this.#closeBatch()
    const group = this.#group
    this.#group = newGroup()
    if (this.#pace.takesPart(group.batches.length > 0, !this.#large.isEmpty)) {
      group.part = this.#large.takePart()
      group.batches.push(...group.part.batches)
      group.bytes += group.part.bytes
    }
    this.#committingBytes = group.bytes
    return group
  }

  async #rotateIfAsked(): Promise<void> {
    const rotation = this.#rotation
    if (rotation === undefined) return
    this.#rotation = undefined
    try {
      await this.#closeActive()
      rotation.resolve()
    } catch (error) {
      rotation.reject(this.#refuse(error))
    }
  }

  /**
   * Makes a group durable. Returns a function that notifies its senders, also of a failure; to be called
   * soon.
   */
  async #commit(group: Group): Promise<Settle> {
    this.#commitStartedAt = performance.now()
    try {
      if (this.#refusal?.code === 'storage_failed') throw this.#refusal
      const frames = await this.#write(group.batches)
      if (group.part !== undefined) this.#pace.partTook(this.#underWayMs())
      return () => this.#acknowledge(group, frames)
    } catch (error) {
      const refusal = this.#refuse(error)
      if (refusal.code === 'storage_full') this.#refusedBytes = group.bytes
      group.part?.failed(refusal) // At once: the next group must not take more of the same requests.
      return () => group.committed.reject(refusal)
    } finally {
      this.#commitStartedAt = undefined
      this.#committingBytes = 0
    }
  }

  #acknowledge(group: Group, frames: readonly CommittedFrame[]): void {
    try {
      this.#options.onCommit(frames)
      group.part?.committed()
      group.committed.resolve()
    } catch (error) {
      const refusal = this.#refuse(error)
      group.part?.failed(refusal)
      group.committed.reject(refusal)
    }
  }

  /** Writes one group of batches as frames and makes them durable. */
  async #write(batches: readonly EncodedBatch[]): Promise<CommittedFrame[]> {
    const active = await this.#activeFile()
    const buffers: Buffer[] = []
    const frames: CommittedFrame[] = []
    let offset = active.bytes
    let sequence = this.#nextSequence
    for (const { payload, recordCount, minTimestamp, maxTimestamp, streams, receipts } of batches) {
      const behind = receipts && packReceiptsBehind(payload, receipts)
      const payloadBytes = payload.length + (behind?.length ?? 0)
      const header: FrameHeader = {
        payloadBytes,
        recordCount,
        firstSequence: sequence,
        minTimestamp,
        maxTimestamp,
      }
      const position = { file: active.number, offset }
      buffers.push(encodeFrameHeader(header, payload, position, behind), payload)
      if (behind !== undefined) buffers.push(behind)
      const bytes = frameHeaderBytes + payloadBytes
      frames.push({ ...position, bytes, header, streams, receipts })
      offset += bytes
      sequence += recordCount
    }
    await writeFully(active, buffers, offset - active.bytes)
    if (this.#options.config.durability === 'disk') await sync(active.handle.datasync())
    this.#writtenBytes += offset - active.bytes
    active.bytes = offset
    active.records += sequence - this.#nextSequence
    this.#nextSequence = sequence
    this.#commitCount++
    this.#lastCommitMs = this.#underWayMs()
    this.#refusedBytes = 0
    this.#prepareNext(active)
    return frames
  }

  /** The file to append to: a new one when there is none yet, or when it is large or old enough. */
  async #activeFile(): Promise<ActiveFile> {
    const current = this.#active
    if (current !== undefined && !this.#isFull(current, 1) && !this.#isOld(current)) return current
    const closing = this.#closeActive()
    closing.catch(() => {}) // Awaited below, whatever becomes of the other.
    try {
      const file = await this.#takeNext()
      this.#active = { ...file, createdAt: this.#options.now() }
    } finally {
      await closing
    }
    return this.#active
  }

  /** The file that was begun ahead, or else one that is begun now. */
  async #takeNext(): Promise<ActiveFile> {
    const next = this.#next
    this.#next = undefined
    try {
      return await (next ?? this.#begin())
    } catch (error) {
      if (next === undefined || !isDiskFull(error)) throw error
      return await this.#begin() // The disk was full when it was begun, and may not be now.
    }
  }

  /** Makes a file that can be appended to. */
  async #begin(): Promise<ActiveFile> {
    const { directory, disk, now } = this.#options
    const number = this.#nextFile
    const path = journalPath(directory, number)
    const handle = await disk.create(path)
    const file: ActiveFile = { number, handle, createdAt: now(), bytes: 0, records: 0 }
    try {
      await writeFully(file, [encodeFileHeader(number)], fileHeaderBytes)
    } catch (error) {
      await handle.close()
      await disk.remove(path) // A full disk: the next group tries the same number again.
      throw error
    }
    this.#nextFile++
    file.bytes = fileHeaderBytes
    await sync(disk.syncDirectory(directory)) // The name too must survive a power cut.
    return file
  }

  /** Begins the next file while there is still room in this one, so that nobody waits for it. */
  #prepareNext(active: ActiveFile): void {
    if (this.#next !== undefined || !this.#isFull(active, prepareAtShare)) return
    this.#next = this.#begin()
    this.#next.catch(() => {}) // Whoever takes it hears of it.
  }

  /** Whether a file has as much as it may, or that share of it. */
  #isFull({ bytes, records }: ActiveFile, share: number): boolean {
    const { journalFileBytes, journalFileRecords } = this.#options.config
    return bytes >= share * journalFileBytes || records >= share * journalFileRecords
  }

  /** Removes a file that was begun and not needed. One that stays is empty, and does no harm. */
  async #discardNext(): Promise<void> {
    const next = this.#next
    this.#next = undefined
    try {
      const file = await next
      if (file === undefined) return
      await file.handle.close()
      await this.#options.disk.remove(journalPath(this.#options.directory, file.number))
    } catch {
      // The next start reads it, and finds nothing in it.
    }
  }

  #isOld({ createdAt }: ActiveFile): boolean {
    const { now, config } = this.#options
    const ageMs = now() - createdAt
    // Below 0 the clock was set back: waiting for it to come round could take years.
    return ageMs < 0 || ageMs >= config.journalFileAgeMs
  }

  async #closeActive(): Promise<void> {
    const active = this.#active
    if (active === undefined) return
    this.#active = undefined
    // In `written` mode too: a closed file is the base of everything that is built on it.
    await sync(active.handle.datasync())
    await active.handle.close()
    this.#closedBelow = active.number + 1
    this.#options.onFileClosed(active.number, active.bytes)
  }

  /** What the senders of a failed group hear; everything but a full disk ends the journal. */
  #refuse(error: unknown): ProblemError {
    if (error instanceof ProblemError) return error
    if (this.#refusal?.code === 'storage_failed') return this.#refusal
    if (isDiskFull(error)) return diskFullProblem(error)
    const problem = new ProblemError('storage_failed', 'the disk failed; the service is stopping', {
      retryAfterSeconds: fullRetrySeconds,
      cause: error,
    })
    this.#refusal = problem
    this.#options.onFatal(new Error('append to the journal', { cause: error }))
    return problem
  }
}

function diskFullProblem(cause?: unknown): ProblemError {
  return new ProblemError('storage_full', 'the disk is full; nothing of this was stored', {
    retryAfterSeconds: fullRetrySeconds,
    ...(cause === undefined ? {} : { cause }),
  })
}

function newGroup(): Group {
  const committed = Promise.withResolvers<void>()
  // Each append's caller hears of a failure through its own await; a group nobody waits for any
  // more (its clients went away) must not count as an unhandled rejection.
  committed.promise.catch(() => {})
  return { batches: [], bytes: 0, part: undefined, committed }
}

/** Waits for a sync. One that fails is final, also when it says that the disk is full (some file systems
 *  find space only then): its pages may be forgotten by now, and no later sync would tell. */
async function sync(done: Promise<void>): Promise<void> {
  try {
    await done
  } catch (cause) {
    throw new Error('sync', { cause })
  }
}

/**
 * Writes all buffers at the end of the file. On a full disk the file is cut back to where it stood,
 * and the error says so; the cut is also why a frame is never left half-written by us.
 */
async function writeFully(
  active: ActiveFile,
  buffers: readonly Buffer[],
  bytes: number,
): Promise<void> {
  try {
    const written = await active.handle.write(buffers, active.bytes)
    if (written !== bytes) throw new ShortWrite(`wrote ${written} of ${bytes} bytes`)
  } catch (error) {
    if (isDiskFull(error)) await active.handle.truncate(active.bytes)
    throw error
  }
}
