/**
 * Elasticsearch's bulk API: by the line an action, such as `{"create":{"_index":"logs"}}`, and the document
 * that it is about. `create` and `index` append the document, which is read as any event is, with the time
 * in `@timestamp`, or else in `time` as a text; `update` and `delete` are refused one by one. The index and
 * other members of actions are repeated in the answer, and are no part of the record.
 *
 * A document with an `_id` counts once in its index. Sent again as it was, it is answered as the first time.
 * Another document with the `_id` of one that was created is refused (409, as Elasticsearch does); `index`,
 * which would replace the first there, appends it here: records never change.
 *
 * Each event brings its own item of the answer. A line that should be an action and is none makes it unclear
 * what the rest are: then the request is refused as a whole, as Elasticsearch does.
 *
 * Source: Elasticsearch 9.1, "Bulk index or delete documents", and `BulkRequestParser.java`.
 */

import { hash } from 'node:crypto'
import { limits } from '../../limits.ts'
import { ProblemError } from '../../problems.ts'
import type { LogRecord } from '../../record.ts'
import { byte, hasBytes, skipSpace } from '../bytes.ts'
import type { DirectReader } from '../direct/reader.ts'
import { isEventObject } from '../event-time.ts'
import { emptyProblem, parseEvent } from '../json.ts'
import { normalise } from '../normalise.ts'
import type { DirectOutcome, Outcome } from '../read-event-batch.ts'
import { lineEnd } from '../resume.ts'
import { readEventTime } from '../timestamp.ts'
import type { Format, FormatContext } from './format.ts'

export const bulk: Format = { encodedPerByte: 1, read: readBulk }

/** The field of a document that has its time. */
export const bulkTimestampField = '@timestamp'

/** Where pino-elasticsearch has it, unless it is told to `create`: in RFC 3339. */
const otherTimeField = 'time'
const otherTimeBytes = Buffer.from(`"${otherTimeField}"`)

interface Action {
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

function* readBulk(
  body: Buffer,
  context: FormatContext,
  direct: DirectReader | undefined,
): Generator<Outcome | DirectOutcome, void> {
  const lines = new Lines(body)
  const reader = new ActionReader(lines, context.given?.index)
  const documents = new Documents(lines, context, direct)
  let index = 0
  let problemCount = 0
  while (lines.next()) {
    const action = reader.read()
    const hasDocument = action.hasDocument && lines.next()
    const isDirect = hasDocument && action.isTaken && documents.readDirectly()
    if (isDirect && action.key === undefined) {
      yield { index, answer: action.createdItem }
    } else {
      const document = hasDocument ? documents : undefined
      const outcome = outcomeOf({ action, document, isDirect, index })
      if (outcome.problem !== undefined) problemCount++
      yield { ...outcome, answer: itemOf(action, outcome.problem, problemCount) }
    }
    index++
  }
  if (index === 0) throw emptyProblem()
}

/** The lines of a body that are not blank, one after the other: without an object for each. */
class Lines {
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
class ActionReader {
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
    const value = parsedOrUndefined(line)
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
    const createdItem = `${itemStart},"status":201,"result":"created"}}`
    return { name, ...known, itemStart, createdItem, key }
  }
}

/** Some senders write a number. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

function parsedOrUndefined(line: Buffer): unknown {
  try {
    return parseEvent(line)
  } catch (error) {
    if (error instanceof ProblemError) return undefined
    throw error
  }
}

/** Statuses of items that are refused, and what Elasticsearch calls why. */
const unreadable = [400, 'document_parsing_exception'] as const
const conflict = [409, 'version_conflict_engine_exception'] as const

/** The line of `lines` as a document. */
class Documents {
  readonly #lines: Lines
  readonly #context: FormatContext
  readonly #direct: DirectReader | undefined

  constructor(lines: Lines, context: FormatContext, direct: DirectReader | undefined) {
    this.#lines = lines
    this.#context = context
    this.#direct = direct
  }

  /** Whether the document is read, and in the direct reader. */
  readDirectly(): boolean {
    const { body, start, end } = this.#lines
    const direct = this.#direct
    const mayBe = direct !== undefined && body[start] === byte.braceOpen
    if (!mayBe || end - start > this.#context.eventBytesMax) return false
    const after = direct.read(body, start, end, false)
    if (after < 0 || skipSpace(body, after, end) < end) return false
    return direct.hasTime || !this.#lines.bytes().includes(otherTimeBytes)
  }

  /** Refuses what is too large, or no document, with a ProblemError. */
  read(): LogRecord {
    const lines = this.#lines
    const context = this.#context
    const bytes = lines.end - lines.start
    if (bytes > context.eventBytesMax) {
      const detail = `expected a document of at most ${context.eventBytesMax} bytes, was ${bytes}`
      throw new ProblemError('body_too_large', detail)
    }
    const event = parseEvent(lines.bytes())
    return normalise(event, { ...context, timestampField: timeFieldOf(event) })
  }

  /** Whether it is stored already. Throws `idempotency_key_reused` when another one has its id. */
  isStored({ name, key }: Action): boolean {
    const { identify } = this.#context
    if (key === undefined || identify === undefined) return false
    const bytes = this.#lines.bytes()
    // What is indexed is known with its content: another one is another document.
    const isIndex = name === 'index'
    const verdict = identify(isIndex ? `${key} ${hash('sha256', bytes)}` : key, bytes)
    if (verdict !== 'other') return verdict === 'stored'
    const detail = `${key}: version conflict, document already exists`
    throw new ProblemError('idempotency_key_reused', detail, { field: '_id' })
  }
}

interface Asked {
  readonly action: Action
  /** Undefined when there is none. */
  readonly document: Documents | undefined
  /** Whether it is in the direct reader. */
  readonly isDirect: boolean
  readonly index: number
}

function outcomeOf({ action, document, isDirect, index }: Asked): Outcome | DirectOutcome {
  try {
    if (!action.isTaken) {
      const detail = `expected create or index, was ${action.name}: records never change`
      throw new ProblemError('field_invalid', detail, { field: action.name })
    }
    if (document === undefined) {
      throw new ProblemError('body_empty', 'expected a document after the action, found the end')
    }
    const record = isDirect ? undefined : document.read()
    const isStored = document.isStored(action)
    return record === undefined ? { index, isStored } : { index, record, isStored }
  } catch (error) {
    if (error instanceof ProblemError) return { index, problem: error }
    throw error
  }
}

/** The other field counts only where it surely is a time: a number may be anything. */
function timeFieldOf(event: unknown): string {
  if (!isEventObject(event) || (event[bulkTimestampField] ?? null) !== null) {
    return bulkTimestampField
  }
  const other = event[otherTimeField]
  const isTime = typeof other === 'string' && /^\d{4}-\d\d-\d\dT/.test(other)
  return isTime && readEventTime(other) !== undefined ? otherTimeField : bulkTimestampField
}

function itemOf(action: Action, problem: ProblemError | undefined, problemCount: number): string {
  const { itemStart, createdItem } = action
  if (problem === undefined) return createdItem
  // A flood of them must not make an answer larger than its request.
  const isListed = problemCount <= limits.ingestErrorsListedMax
  const reason = isListed ? problem.placedMessage : 'as those before'
  const isConflict = problem.code === 'idempotency_key_reused'
  const [status, type] = isConflict ? conflict : unreadable
  return `${itemStart},"status":${status},"error":${JSON.stringify({ type, reason })}}}`
}
