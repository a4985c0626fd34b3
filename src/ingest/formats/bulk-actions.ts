/** The lines of Elasticsearch's bulk API, and what an action says: see `bulk.ts`. */

import { type ProblemCode, ProblemError, unlessProblem } from '../../problems.ts'
import { hasBytes, skipSpace } from '../bytes.ts'
import { isEventObject } from '../event-time.ts'
import { parseEvent } from '../json.ts'
import { lineEnd } from '../resume.ts'

/** How the item ends of a document that is stored, and of one that would be if there were room. */
export const createdEnd = ',"status":201,"result":"created"}}'

/** As Elasticsearch itself has both: the second when a disk has passed its watermark. */
const busyTypes: Partial<Record<ProblemCode, string>> = {
  ingest_overloaded: 'es_rejected_execution_exception',
  journal_full: 'es_rejected_execution_exception',
  storage_full: 'cluster_block_exception',
}

export function busyEndOf({ code, message: reason }: ProblemError): string {
  return `,"status":429,"error":${JSON.stringify({ type: busyTypes[code], reason })}}}`
}

export interface Action {
  readonly name: string
  readonly hasDocument: boolean
  readonly isTaken: boolean
  /** `{"create":{"_index":…,"_id":…`, of its item in the answer. */
  readonly itemStart: string
  /** That item when the document is stored. */
  readonly createdItem: string
  /** By which a retry of its document is known; undefined without an `_id`. */
  readonly key: string | undefined
}

const actions: Readonly<Record<string, Pick<Action, 'hasDocument' | 'isTaken'>>> = {
  create: { hasDocument: true, isTaken: true },
  index: { hasDocument: true, isTaken: true },
  update: { hasDocument: true, isTaken: false },
  delete: { hasDocument: false, isTaken: false },
}

/** The lines of a body that are not blank, one after the other: without an object for each. */
export class Lines {
  readonly body: Buffer
  /** Of the line that was taken last, from 1. */
  number = 0
  /** Its bytes, without white space before them and the line break. */
  start = 0
  end = 0
  #next = 0

  constructor(body: Buffer) {
    this.body = body
  }

  /** Goes to the next line; false at the end of the body. */
  next(): boolean {
    const { body } = this
    while (this.#next < body.length) {
      this.end = lineEnd(body, this.#next)
      this.start = skipSpace(body, this.#next, this.end)
      this.#next = this.end + 1
      this.number++
      if (this.start < this.end) return true
    }
    return false
  }

  bytes(): Buffer {
    return this.body.subarray(this.start, this.end)
  }
}

/** Reads actions, of which most are the same bytes as the one before. */
export class ActionReader {
  readonly #lines: Lines
  readonly #indexOfPath: string | undefined
  #line = Buffer.alloc(0)
  #action: Action | undefined

  constructor(lines: Lines, indexOfPath: string | undefined) {
    this.#lines = lines
    this.#indexOfPath = indexOfPath
  }

  /** The action that the line is. */
  read(): Action {
    const { body, start, end, number } = this.#lines
    if (this.#action !== undefined && hasBytes(body, start, end, this.#line)) return this.#action
    this.#line = this.#lines.bytes() as Buffer<ArrayBuffer>
    this.#action = this.#readNew(this.#line, number)
    return this.#action
  }

  #readNew(line: Buffer, number: number): Action {
    const value = unlessProblem(() => parseEvent(line))
    const [name, members] = (isEventObject(value) && Object.entries(value)[0]) || []
    const known = name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined
    if (name === undefined || known === undefined) {
      const expected = Object.keys(actions).join(', ')
      const detail = `Malformed action/metadata line [${number}], expected one of ${expected}`
      throw new ProblemError('field_invalid', detail, { field: `line ${number}` })
    }
    const { _index, _id } = isEventObject(members) ? members : {}
    const item = { _index: textOf(_index) ?? this.#indexOfPath ?? '', _id: textOf(_id) }
    const itemStart = JSON.stringify({ [name]: item }).slice(0, -2) // Without an id when there is none.
    const key = item._id === undefined ? undefined : JSON.stringify([item._index, item._id])
    const createdItem = itemStart + createdEnd
    return { name, ...known, itemStart, createdItem, key }
  }
}

/** Some senders write a number. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
