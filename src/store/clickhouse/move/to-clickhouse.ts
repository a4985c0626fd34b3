/**
 * Moves the records of a data directory from segments to ClickHouse. For a directory that no service has, and
 * whose lock the caller holds. It may be cut anywhere: `moving.json` says how far it is, and nothing is
 * removed here before ClickHouse has everything, and as many records of each day.
 */
import { randomBytes } from 'node:crypto'
import { basename, join } from 'node:path'
import type { Disk } from '../../../disk/disk.ts'
import { crashPoint } from '../../crash-point.ts'
import type { LiveSegment } from '../../view/segments.ts'
import { Connection, type QueryParams } from '../connection.ts'
import { noteSent, numberOf, sequencesOf, takeNumber } from '../front-ends.ts'
import { readPosition, writePosition } from '../position-file.ts'
import { logsTable, makeTables } from '../tables.ts'
import {
  addCounts,
  agree,
  type ComparedDay,
  compareDays,
  countBlocks,
  countKeptRows,
} from './day-counts.ts'
import { Move, type MoveOptions, MoveRefused, type MoveReport, nothing } from './move.ts'
import { type MoveTo, readMove, removeMove, writeMove } from './move-file.ts'
import { type OpenedRecords, openRecords } from './open-records.ts'
import { blocksOf, type DamagedBlock, readSegment, wasDamaged } from './segment-rows.ts'
import { senderOfSegments, sendSegment } from './send-segment.ts'

export interface MoveToOptions extends MoveOptions {
  /** Whether segments stay. */
  readonly keep: boolean
  /** Whether ClickHouse may have records of others. */
  readonly add: boolean
  /** Whether records that cannot be read are left behind. */
  readonly withoutDamaged: boolean
}

/** Throws MoveRefused, ClickHouseFailed, and what the disk throws. */
export async function moveToClickHouse(options: MoveToOptions): Promise<MoveReport> {
  const { url, layout, dataDir, disk } = options
  const known = readMove(dataDir, disk)
  if (known !== undefined && !('to' in known)) {
    throw new MoveRefused('records are being moved from ClickHouse: end that first, with --from')
  }
  if (known === undefined && readPosition(dataDir, disk) !== undefined) return nothing
  const connection = await Connection.open(url)
  let records: OpenedRecords | undefined
  try {
    const mover = new Sending(options, connection)
    await mover.patiently(() => makeTables(connection, layout))
    records = await openRecords(options, known === undefined ? 'sealed' : 'as they are')
    return await mover.move(records, known)
  } finally {
    await records?.close()
    await connection.close()
  }
}

class Sending extends Move<MoveToOptions> {
  async move(records: OpenedRecords, known: MoveTo | undefined): Promise<MoveReport> {
    const { dataDir, disk, keep, signal } = this.options
    const all = [...records.segments.all].sort((a, b) => a.number - b.number)
    if (known === undefined && all.length === 0) return nothing
    let move = known ?? (await this.#begin(records))
    if (move.state === 'sending') {
      await this.#tellSizes(all)
      const damaged: DamagedBlock[] = []
      let mayBeThere = known !== undefined
      for (const segment of all) {
        if (segment.number <= move.sentThrough && !this.#wasDamaged(segment)) {
          this.tell({ records: this.progress.records + segment.recordCount })
          continue
        }
        const found = await this.#send(segment, move, mayBeThere)
        if (found === undefined || signal.aborted) return this.interrupted()
        damaged.push(...found)
        if (segment.number > move.sentThrough) mayBeThere = false
        crashPoint('move:sent')
        if (segment.number > move.sentThrough) move = { ...move, sentThrough: segment.number }
        await writeMove(dataDir, move, disk)
        crashPoint('move:noted')
      }
      const days = await this.#compare(all, move, damaged)
      const report = { records: this.progress.records, days, damaged }
      if (!agree(days)) return { outcome: 'differs', ...report }
      if (damaged.length > 0 && !this.options.withoutDamaged) {
        return { outcome: 'damaged', ...report }
      }
      await this.#settle(records, move)
      move = { ...move, state: keep ? 'kept' : 'sent' }
      await writeMove(dataDir, move, disk)
      crashPoint('move:counted')
      if (!keep) await this.#remove(records)
      return { outcome: 'moved', ...report }
    }
    if (move.state === 'kept' && keep) return nothing
    await this.#remove(records)
    return { ...nothing, outcome: 'moved' }
  }

  /** Under which name and numbers. Nothing is known of it but by `moving.json`. */
  async #begin(records: OpenedRecords): Promise<MoveTo> {
    const { dataDir, disk, add } = this.options
    const [found] = await this.patiently(() =>
      this.connection.rows<{ records: string | number }>({
        query: `SELECT count() AS records FROM ${logsTable}`,
      }),
    )
    const there = Number(found?.records ?? 0)
    if (there > 0 && !add) {
      throw new MoveRefused(
        `ClickHouse has ${there} records already: those of this directory would be twice there if they were moved before; give --add if they were not, or another database`,
      )
    }
    const frontEnd = randomBytes(8).toString('hex')
    const numbers = rangesOf(records, disk)
    if (numbers.first !== numbers.last && there > 0) {
      const text = 'the directory has records of several front ends, which were moved back'
      throw new MoveRefused(`${text}: give a database without any`)
    }
    const take = () => this.patiently(() => takeNumber(frontEnd, this.connection))
    let number = await take()
    // Those of several stay what they are, below what comes then.
    while (numbers.first !== numbers.last && number <= numbers.last) number = await take()
    const sequenceOffset =
      numbers.first === numbers.last
        ? sequencesOf(number).first - sequencesOf(numbers.first).first
        : 0
    const move: MoveTo = {
      ...{ to: 'clickhouse', state: 'sending', frontEnd, number },
      ...{ sequenceOffset, sentThrough: 0 },
    }
    await writeMove(dataDir, move, disk)
    return move
  }

  async #tellSizes(all: readonly LiveSegment[]): Promise<void> {
    const sum = (of: (segment: LiveSegment) => number) =>
      all.reduce((total, segment) => total + of(segment), 0)
    const records = sum(segment => segment.recordCount)
    const bytes = sum(segment => segment.bytes)
    // Not everybody may ask.
    const [disk] = await this.connection
      .rows<{ free: string }>({ query: 'SELECT max(free_space) AS free FROM system.disks' })
      .catch(() => [])
    this.options.onBegin({ records, bytes, freeBytes: disk && Number(disk.free) })
    this.tell({ totalRecords: records })
  }

  /** Returns the blocks that cannot be read; undefined when it was interrupted. */
  async #send(
    segment: LiveSegment,
    move: MoveTo,
    isResumed: boolean,
  ): Promise<readonly DamagedBlock[] | undefined> {
    const { dataDir, disk, layout, signal } = this.options
    const { path, number } = segment
    const before = this.progress.records
    const { units, damaged } = readSegment({ path, number }, join(dataDir, 'quarantine'), disk)
    const isSent = number <= move.sentThrough
    const sender = senderOfSegments(move.frontEnd)
    const { sequenceOffset } = move
    const isWhole = await this.patiently(async attempt => {
      this.tell({ records: before })
      const mayBeThere = isResumed || isSent || attempt > 0
      const task = { path, number, units, sender, sequenceOffset, layout, mayBeThere }
      const onRecords = (count: number) => this.tell({ records: this.progress.records + count })
      return sendSegment(task, this.connection, disk, signal, onRecords)
    })
    return isWhole ? damaged : undefined
  }

  /** What there is here and there, of each day. */
  async #compare(
    all: readonly LiveSegment[],
    { frontEnd }: MoveTo,
    damaged: readonly DamagedBlock[],
  ): Promise<ComparedDay[]> {
    const { disk, layout } = this.options
    const here = new Map<number, number>()
    for (const { path, number } of all) {
      const lost = new Set(damaged.filter(one => one.number === number).map(({ offset }) => offset))
      const blocks = blocksOf(path, number, disk).filter(
        ({ directory }) => !lost.has(directory.offset),
      )
      addCounts(here, countBlocks({ path, number }, blocks, disk))
    }
    const params: QueryParams = { sender: senderOfSegments(frontEnd) }
    const there = await this.patiently(() =>
      countKeptRows(this.connection, 'FrontEnd = {sender:String}', params, layout),
    )
    return compareDays(here, there)
  }

  /** From here on the directory is one whose records are in ClickHouse. */
  async #settle(records: OpenedRecords, move: MoveTo): Promise<void> {
    const { dataDir, disk } = this.options
    const { frontEnd, number, sequenceOffset } = move
    const next = records.nextSequence + sequenceOffset
    const nextSequence = Math.max(next, sequencesOf(number).first)
    const shippedFile = Math.max(0, records.nextJournal - 1)
    // From here on the others know that there may be what they do not see yet.
    await this.patiently(() => noteSent(frontEnd, Date.now(), this.connection))
    await writePosition(dataDir, { frontEnd, number, shippedFile, nextSequence }, disk)
  }

  /** Segments of which something was ever damaged stay in the quarantine. */
  async #remove(records: OpenedRecords): Promise<void> {
    const { dataDir, disk } = this.options
    const { quarantine } = records.paths
    for (const segment of [...records.segments.all]) {
      const { path, number, day } = segment
      const isKept = this.#wasDamaged(segment)
      await records.forget([number])
      if (isKept) disk.renameSync(path, join(quarantine, `${day}-${basename(path)}`))
      else await disk.removeDurably(path)
      crashPoint('move:removed-one')
    }
    await removeMove(dataDir, disk)
  }

  #wasDamaged({ path }: LiveSegment): boolean {
    const { dataDir, disk } = this.options
    return wasDamaged(path, join(dataDir, 'quarantine'), disk)
  }
}

/** The first and the last front end's number in whose ranges numbers of records are. */
function rangesOf({ segments, nextSequence }: OpenedRecords, disk: Disk) {
  let first = nextSequence
  for (const { path, number } of segments.all) {
    for (const { minSequence } of blocksOf(path, number, disk)) {
      if (minSequence < first) first = minSequence
    }
  }
  return { first: numberOf(first), last: numberOf(Math.max(first, nextSequence - 1)) }
}
