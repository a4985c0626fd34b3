/**
 * Sends batches to the service, one request at a time, and says of each line what became of it.
 *
 * One at a time because records of the same time are ordered by arrival: two requests under way could
 * overtake one another. The next batch is read and encoded meanwhile, so the service hardly waits.
 *
 * A busy or absent service is tried again, with waits that grow; any other refusal of a whole request
 * ends the import with an CommandError that says what to do. A request whose answer was lost is sent
 * again and may then be stored twice: the API has no way to tell the two apart.
 */
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { fetchFailure } from '../api.ts'
import { CommandError } from '../command-error.ts'
import { parseJson } from '../json.ts'
import { type Answer, type AnsweredProblem, describeProblem, readAnswer } from './answer.ts'
import type { Batch, Rejection } from './batches.ts'
import { howToMakeToken } from './options.ts'

export interface SendOptions {
  readonly url: string
  readonly token: string
  readonly timestampField: string | undefined
  readonly gzip: boolean
  /** Aborted: nothing is tried again. The request under way is finished all the same. */
  readonly interrupt: AbortSignal
  pause(milliseconds: number, signal: AbortSignal): Promise<void>
}

export interface SendResult {
  readonly acceptedCount: number
  readonly rejectedCount: number
  /** The first of them at least: the service lists up to 100 a request. */
  readonly rejections: readonly Rejection[]
}

type Place = Pick<Rejection, 'line' | 'untilLine'>

/** Thrown when an interrupt came while a batch waited to be tried again: it was not stored. */
export class Interrupted extends Error {}

/** About eight seconds: a service that restarts is back by then, a wrong address is soon told. */
const absentAttemptsMax = 6
/** About three minutes, unless the service says how long to wait. */
const busyAttemptsMax = 12
const firstWaitMs = 250
const waitMsMax = 30_000
/** A request that takes longer has no one at the other end. */
const answerTimeoutMs = 120_000
const busyStatuses = new Set([429, 502, 503, 504])

const compress = promisify(gzip)

/** Sends the lines of a batch that has some. Throws CommandError or Interrupted. */
export async function sendBatch(batch: Batch, options: SendOptions): Promise<SendResult> {
  const answer = await requestUntilAnswered(batch.body, options)
  if (answer.kind === 'counted') {
    return countLines(batch, answer)
  }
  const { status, code } = answer.problem
  if (status === 413 && batch.lineNumbers.length > 1) {
    const [first, second] = halve(batch)
    return add(await sendBatch(first, options), await sendBatch(second, options))
  }
  if (status === 413 || code === 'events_unreadable') {
    return rejectAll(batch, answer.problem)
  }
  throw refusal(answer, options)
}

async function requestUntilAnswered(body: Buffer, options: SendOptions): Promise<Answer> {
  const encoded = options.gzip
    ? // The level is for speed: logs shrink to a tenth at any level.
      await compress(body, { level: constants.Z_BEST_SPEED })
    : body
  for (let attempt = 1; ; attempt++) {
    const outcome = await request(encoded, options)
    if (outcome.kind === 'unreachable') {
      if (attempt === absentAttemptsMax) {
        throw absence(outcome.reason, options)
      }
      await pauseOrInterrupt(firstWaitMs * 2 ** (attempt - 1), options)
    } else if (outcome.kind === 'refused' && busyStatuses.has(outcome.problem.status)) {
      if (attempt === busyAttemptsMax) {
        throw refusal(outcome, options)
      }
      const waitMs = outcome.retryAfterMs ?? firstWaitMs * 2 ** (attempt - 1)
      await pauseOrInterrupt(Math.min(waitMs, waitMsMax), options)
    } else {
      return outcome
    }
  }
}

async function pauseOrInterrupt(milliseconds: number, options: SendOptions): Promise<void> {
  if (!options.interrupt.aborted) {
    await options.pause(milliseconds, options.interrupt).catch(() => {})
  }
  if (options.interrupt.aborted) {
    throw new Interrupted('interrupted while a request waited to be tried again')
  }
}

async function request(
  body: Buffer,
  options: SendOptions,
): Promise<Answer | { readonly kind: 'unreachable'; readonly reason: string }> {
  const url = new URL(`${options.url}/api/v1/webhook/event/logs`)
  if (options.timestampField !== undefined) {
    url.searchParams.set('timestamp_field', options.timestampField)
  }
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${options.token}`,
        'content-type': 'application/x-ndjson',
        ...(options.gzip ? { 'content-encoding': 'gzip' } : {}),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(answerTimeoutMs),
    })
    return readAnswer(response.status, response.headers, await response.text())
  } catch (error) {
    return { kind: 'unreachable', reason: fetchFailure(error) }
  }
}

/**
 * The service counts events, not lines: a line may hold several, and a torn one may take in the next.
 * Where the mistake is in the JSON it says on which line. Otherwise all that is known is the place
 * among the events, which is the line's as long as each line before is exactly one event.
 */
function countLines(batch: Batch, answer: Answer & { kind: 'counted' }): SendResult {
  const { accepted, rejected, errors } = answer
  const isAllPlaced = errors.every(({ bodyLine }) => bodyLine !== undefined)
  const inStepCount = isAllPlaced ? 0 : countSingleValues(batch.body)
  const rejections = errors.map(({ index, bodyLine, code, detail }) => {
    const line = bodyLine ?? (index < inStepCount ? index + 1 : undefined)
    const place = line === undefined ? linesFrom(batch, inStepCount + 1) : lineOf(batch, line)
    return { ...place, code, detail }
  })
  return { acceptedCount: accepted, rejectedCount: rejected, rejections }
}

/** The lines from the first on that hold one JSON value each. */
function countSingleValues(body: Buffer): number {
  const lines = body.toString('utf8').split('\n')
  return lines.findIndex(line => parseJson(line) === undefined) // The last one is empty.
}

/** The line of the source that became `bodyLine`. */
function lineOf(batch: Batch, bodyLine: number): Place {
  const line = batch.lineNumbers[bodyLine - 1]
  return line === undefined ? linesFrom(batch, 1) : { line }
}

function linesFrom({ lineNumbers }: Batch, bodyLine: number): Place {
  const untilLine = lineNumbers.at(-1)!
  return { line: lineNumbers[bodyLine - 1] ?? untilLine, untilLine }
}

/** What is known is why the first event was rejected: one line is named, all are counted. */
function rejectAll(
  batch: Batch,
  { code = 'body_too_large', detail, bodyLine = 1 }: AnsweredProblem,
): SendResult {
  const rejections = [{ ...lineOf(batch, bodyLine), code, detail }]
  return { acceptedCount: 0, rejectedCount: batch.lineNumbers.length, rejections }
}

/** Two batches of half the lines each. Their local rejections stay with the whole. */
function halve(batch: Batch): readonly [Batch, Batch] {
  const half = Math.floor(batch.lineNumbers.length / 2)
  let end = 0
  for (let line = 0; line < half; line++) {
    end = batch.body.indexOf(0x0a, end) + 1
  }
  const part = (body: Buffer, lineNumbers: readonly number[]) => ({ ...batch, body, lineNumbers })
  return [
    part(batch.body.subarray(0, end), batch.lineNumbers.slice(0, half)),
    part(batch.body.subarray(end), batch.lineNumbers.slice(half)),
  ]
}

function add(first: SendResult, second: SendResult): SendResult {
  return {
    acceptedCount: first.acceptedCount + second.acceptedCount,
    rejectedCount: first.rejectedCount + second.rejectedCount,
    rejections: [...first.rejections, ...second.rejections],
  }
}

function refusal(answer: Answer & { kind: 'refused' }, { url }: SendOptions): CommandError {
  const { status } = answer.problem
  const described = describeProblem(answer.problem)
  if (status === 401 || status === 403) {
    return new CommandError(
      `the service does not take this token: ${described}. ${howToMakeToken(url)}`,
    )
  }
  if (busyStatuses.has(status)) {
    return new CommandError(
      `the service stays too busy (${busyAttemptsMax} attempts): ${described}`,
    )
  }
  return new CommandError(
    `the service refused a request: ${described}. Is ${url} the right address?`,
  )
}

function absence(reason: string, { url }: SendOptions): CommandError {
  return new CommandError(
    `no answer from ${url} after ${absentAttemptsMax} attempts (${reason}). Start the service (npm start), or say where it is with --url`,
  )
}
