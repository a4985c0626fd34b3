/**
 * The JSON of an answer with records. A large one is made piece by piece, and between two pieces, of
 * whatever answers, the event loop turns: twenty of 5 MB in one go would stop everything for 0.2 s.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AnswerRecord } from '../../../store/store.ts'

/** Characters made in one go, about: 1 ms. */
const pieceLength = 256 * 1024

export interface AnswerWithRecords {
  readonly count: number
  readonly logs: readonly AnswerRecord[]
}

/** What `JSON.stringify` makes of an answer; as bytes when it is large. */
export function selectJson({ count, logs, ...rest }: AnswerWithRecords): Promise<string | Buffer> {
  return recordsJson(records => ({ count, logs: records, ...rest }), logs)
}

/**
 * The JSON of what `answerOf` gives for some records, which must be the first list in it, with no text
 * before; as bytes when it is large.
 */
export async function recordsJson(
  answerOf: (records: readonly AnswerRecord[]) => object,
  records: readonly AnswerRecord[],
): Promise<string | Buffer> {
  const pieces = piecesOf(records)
  if (pieces.length <= 1) return JSON.stringify(answerOf(records))
  const around = JSON.stringify(answerOf([]))
  const start = around.indexOf('[') + 1
  const parts = [Buffer.from(around.slice(0, start))]
  for (const piece of pieces) {
    await passTurn()
    const comma = parts.length > 1 ? ',' : ''
    parts.push(Buffer.from(comma + JSON.stringify(piece).slice(1, -1)))
  }
  parts.push(Buffer.from(around.slice(start)))
  return Buffer.concat(parts)
}

let lastTurn = Promise.resolve()

/** Resolves in a turn of the event loop that no other caller gets. */
function passTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn())
  return lastTurn
}

function piecesOf(records: readonly AnswerRecord[]): AnswerRecord[][] {
  const pieces: AnswerRecord[][] = []
  let length = pieceLength
  for (const record of records) {
    if (length >= pieceLength) {
      pieces.push([])
      length = 0
    }
    pieces.at(-1)!.push(record)
    length += lengthOf(record)
  }
  return pieces
}

/** Characters of a record that may be many. */
function lengthOf({ message, attributes }: AnswerRecord): number {
  let length = message.length
  for (const name in attributes) length += attributes[name]!.length
  return length
}
