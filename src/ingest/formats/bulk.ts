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
import { byte, skipSpace } from '../bytes.ts'
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
  const reader = new ActionReader(context.given?.index)
  let index = 0
  let problemCount = 0
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    const action = reader.read(line, lines.number)
    const document = action.hasDocument ? lines.next() : undefined
    const outcome = outcomeOf({ action, document, index, context, direct })
    if (outcome.problem !== undefined) problemCount++
    yield { ...outcome, answer: itemOf(action, outcome.problem, problemCount) }
    index++
  }
  if (index === 0) throw emptyProblem()
}

/** The lines of a body that are not blank. */
class Lines {
  readonly #body: Buffer
  #offset = 0
  /** Of the line that was taken last, from 1. */
  number = 0

  constructor(body: Buffer) {
    this.#body = body
  }

  next(): Buffer | undefined {
    while (this.#offset < this.#body.length) {
      const end = lineEnd(this.#body, this.#offset)
      const start = skipSpace(this.#body, this.#offset, end)
      this.#offset = end + 1
      this.number++
      if (start < end) return this.#body.subarray(start, end)
    }
    return undefined
  }
}

/** Reads actions, of which most are the same bytes as the one before. */
class ActionReader {
  readonly #indexOfPath: string | undefined
  #line = Buffer.alloc(0)
  #action: Action | undefined

  constructor(indexOfPath: string | undefined) {
    this.#indexOfPath = indexOfPath
  }

  read(line: Buffer, number: number): Action {
    if (this.#action !== undefined && this.#line.equals(line)) return this.#action
    this.#line = line as Buffer<ArrayBuffer>
    this.#action = this.#readNew(line, number)
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
    const start = JSON.stringify({ [name]: item }) // Without an id when there is none.
    const key = item._id === undefined ? undefined : JSON.stringify([item._index, item._id])
    return { name, ...known, itemStart: start.slice(0, -2), key }
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

interface Asked {
  readonly action: Action
  readonly document: Buffer | undefined
  readonly index: number
  readonly context: FormatContext
  readonly direct: DirectReader | undefined
}

function outcomeOf({ action, document, index, context, direct }: Asked): Outcome | DirectOutcome {
  try {
    if (!action.isTaken) {
      const detail = `expected create or index, was ${action.name}: records never change`
      throw new ProblemError('field_invalid', detail, { field: action.name })
    }
    if (document === undefined) {
      throw new ProblemError('body_empty', 'expected a document after the action, found the end')
    }
    const { eventBytesMax } = context
    if (document.length > eventBytesMax) {
      const detail = `expected a document of at most ${eventBytesMax} bytes, was ${document.length}`
      throw new ProblemError('body_too_large', detail)
    }
    const isRead = document[0] === byte.braceOpen && direct?.readWhole(document)
    if (isRead && (direct?.hasTime || !document.includes(otherTimeBytes))) {
      return isStored(action, document, context) ? { index, isStored: true } : { index }
    }
    const event = parseEvent(document)
    const record = normalise(event, { ...context, timestampField: timeFieldOf(event) })
    return { index, record, isStored: isStored(action, document, context) }
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

/** Whether the document is stored already. Throws `idempotency_key_reused` when another one has its id. */
function isStored({ name, key }: Action, document: Buffer, { identify }: FormatContext): boolean {
  if (key === undefined || identify === undefined) return false
  // What is indexed is known with its content: another one is another document.
  const isIndex = name === 'index'
  const verdict = identify(isIndex ? `${key} ${hash('sha256', document)}` : key, document)
  if (verdict !== 'other') return verdict === 'stored'
  const detail = `${key}: version conflict, document already exists`
  throw new ProblemError('idempotency_key_reused', detail, { field: '_id' })
}

function itemOf(action: Action, problem: ProblemError | undefined, problemCount: number): string {
  const { itemStart } = action
  if (problem === undefined) return `${itemStart},"status":201,"result":"created"}}`
  // A flood of them must not make an answer larger than its request.
  const isListed = problemCount <= limits.ingestErrorsListedMax
  const reason = isListed ? problem.placedMessage : 'as those before'
  const isConflict = problem.code === 'idempotency_key_reused'
  const [status, type] = isConflict ? conflict : unreadable
  return `${itemStart},"status":${status},"error":${JSON.stringify({ type, reason })}}}`
}
