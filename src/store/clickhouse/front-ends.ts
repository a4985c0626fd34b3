/**
 * The front ends that send to the same tables: each has a number that no other has, and with it a range of
 * numbers of records, so that the id of a record is the same on all of them, and no other's.
 */
import type { Sequence, Timestamp } from '../../record.ts'
import { ClickHouseFailed, type Connection, unknownTable } from './connection.ts'

/** Which number is whose: never changed, never removed. */
export const numbersTable = 'logstrata_front_ends'
/** Up to when each has sent what it acknowledged. */
export const sentTable = 'logstrata_sent'

/** Records that a front end may number: at 100,000 a second those of five years. */
const sequencesPerNumber = 2 ** 44
/** All numbers of records are below 2^53. */
const numberMax = 2 ** 9 - 1
/** A start takes a further number when this share of the last one's is used. */
const usedShareMax = 0.75

/** The numbers of records that are a front end's own, with `end` behind the last. */
export interface SequenceRange {
  readonly first: Sequence
  readonly end: Sequence
}

export function sequencesOf(number: number): SequenceRange {
  return { first: number * sequencesPerNumber, end: (number + 1) * sequencesPerNumber }
}

/** Whose range has a number of a record. */
export function numberOf(sequence: Sequence): number {
  return Math.floor(sequence / sequencesPerNumber)
}

export function isUsedUp(number: number, next: Sequence): boolean {
  return next - sequencesOf(number).first > usedShareMax * sequencesPerNumber
}

type Asked = Pick<Connection, 'rows' | 'command'>

/**
 * A number that is no other front end's, from now on. Two that ask at once: whoever asks who has taken it
 * after the other has sees both, and takes another, and perhaps both do. Throws ClickHouseFailed.
 */
export async function takeNumber(frontEnd: string, connection: Asked): Promise<number> {
  for (;;) {
    const [taken] = await connection.rows<{ takers: string | number; last: number }>({
      query: `SELECT count() AS takers, max(Number) AS last FROM ${numbersTable}`,
      settings: seesAll,
    })
    const number = Number(taken?.takers ?? 0) === 0 ? 0 : Number(taken!.last) + 1
    if (number > numberMax) {
      throw new Error(`${numberMax} front ends have sent to these tables, and no more may`)
    }
    await connection.command({
      query: `INSERT INTO ${numbersTable} (Number, FrontEnd) VALUES (${number}, {frontEnd:String})`,
      params: { frontEnd },
      settings: onMost,
    })
    const takers = await connection.rows<{ frontEnd: string }>({
      query: `SELECT FrontEnd AS frontEnd FROM ${numbersTable} WHERE Number = ${number}`,
      settings: seesAll,
    })
    if (takers.every(taker => taker.frontEnd === frontEnd)) return number
  }
}

/** Whether the tables there are those in which this front end has its number. Throws ClickHouseFailed. */
export async function isKnownTo(
  frontEnd: string,
  connection: Pick<Connection, 'rows'>,
): Promise<boolean> {
  try {
    const [found] = await connection.rows<{ rows: string | number }>({
      query: `SELECT count() AS rows FROM ${numbersTable} WHERE FrontEnd = {frontEnd:String}`,
      params: { frontEnd },
    })
    return Number(found?.rows ?? 0) > 0
  } catch (error) {
    if (error instanceof ClickHouseFailed && error.code === unknownTable) return false
    throw error
  }
}

/** On replicas: what most of them have, and nothing less. Elsewhere these mean nothing. */
const onMost = { insert_quorum: 'auto', insert_quorum_parallel: 0 } as const
const seesAll = { select_sequential_consistency: 1 } as const

/** Says that all that this front end acknowledged before a time is in ClickHouse. */
export async function noteSent(
  frontEnd: string,
  asOf: Timestamp,
  connection: Pick<Connection, 'command'>,
): Promise<void> {
  await connection.command({
    query: `INSERT INTO ${sentTable} (FrontEnd, AsOf) VALUES ({frontEnd:String}, ${asOf})`,
    params: { frontEnd },
  })
}

/** Takes back that a front end sends: the others wait for nothing of it any more. */
export async function forgetSent(
  frontEnd: string,
  connection: Pick<Connection, 'command'>,
): Promise<void> {
  await connection.command({
    query: `DELETE FROM ${sentTable} WHERE FrontEnd = {frontEnd:String}`,
    params: { frontEnd },
  })
}

/** How old what is known of the others may be when a query begins, ms. */
const knownMs = 1_000

export interface OthersParts {
  readonly frontEnd: string
  readonly connection: Pick<Connection, 'rows'>
  readonly now: () => number
}

/** What the other front ends have sent. */
export class OtherFrontEnds {
  readonly #parts: OthersParts
  #asOf: Timestamp | undefined
  #lookedAt = Number.NEGATIVE_INFINITY
  #looking: Promise<void> | undefined

  constructor(parts: OthersParts) {
    this.#parts = parts
  }

  /**
   * All that the others acknowledged before this time is in ClickHouse now, each by its own clock; undefined
   * when there are no others. Throws ClickHouseFailed.
   */
  async asOf(): Promise<Timestamp | undefined> {
    if (performance.now() - this.#lookedAt > knownMs) {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = undefined
      })
      await this.#looking
    }
    return this.#asOf
  }

  async #look(): Promise<void> {
    const { frontEnd, connection } = this.#parts
    const lookedAt = performance.now()
    const [found] = await connection.rows<{ others: string | number; asOf: string | number }>({
      query: `SELECT count() AS others, min(asOf) AS asOf FROM (
        SELECT FrontEnd, max(AsOf) AS asOf FROM ${sentTable}
        WHERE FrontEnd != {frontEnd:String} GROUP BY FrontEnd)`,
      params: { frontEnd },
    })
    this.#asOf = Number(found?.others ?? 0) === 0 ? undefined : Number(found!.asOf)
    this.#lookedAt = lookedAt
  }
}
