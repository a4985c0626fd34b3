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
 * Each event brings its own item of the answer; when there is no room for any, each says so, with the status
 * (429) on which clients send it again. A line that should be an action and is none makes it unclear
 * what the rest are: then the request is refused as a whole, as Elasticsearch does.
 *
 * Source: Elasticsearch 9.1, "Bulk index or delete documents", and `BulkRequestParser.java`.
 */

import { hash } from 'node:crypto'
import { limits } from '../../limits.ts'
import { ProblemError } from '../../problems.ts'
import type { LogRecord } from '../../record.ts'
import { byte, skipSpace } from '../bytes.ts'
import type { DirectReader } from '../direct/reader.ts'
import type { EachAnswer } from '../each-refused.ts'
import { isEventObject } from '../event-time.ts'
import { ItemAnswers } from '../item-answers.ts'
import { emptyProblem, parseEvent } from '../json.ts'
import { normalise } from '../normalise.ts'
import type { DirectOutcome, Outcome } from '../read-event-batch.ts'
import { readEventTime } from '../timestamp.ts'
import { type Action, ActionReader, busyEndOf, createdEnd, Lines } from './bulk-actions.ts'
import type { Format, FormatContext } from './format.ts'

export const bulk: Format = {
  encodedPerByte: 1,
  read: readBulk,
  refuseEach: {
    ofBody: refusedItems,
    // No id has this in it: its quotes would be escaped.
    ofAnswers(answers, why) {
      const busyEnd = busyEndOf(why)
      return answers.replaceAll(createdEnd, () => busyEnd)
    },
  },
}

/** The field of a document that has its time. */
export const bulkTimestampField = '@timestamp'

/** Where pino-elasticsearch has it, unless it is told to `create`: in RFC 3339. */
const otherTimeField = 'time'
const otherTimeBytes = Buffer.from(`"${otherTimeField}"`)

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

/** Of all actions of a body: what cannot be read is not looked for. */
function refusedItems(body: Buffer, { given }: FormatContext, why: ProblemError): EachAnswer {
  const busyEnd = busyEndOf(why)
  const lines = new Lines(body)
  const reader = new ActionReader(lines, given?.index)
  const answers = new ItemAnswers()
  let count = 0
  while (lines.next()) {
    const { itemStart, hasDocument } = reader.read()
    if (hasDocument) lines.next()
    answers.add(itemStart + busyEnd)
    count++
  }
  return { answers: answers.text(), count }
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
