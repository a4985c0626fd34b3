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
export async function selectJson(answer: AnswerWithRecords): Promise<string | Buffer> {
  const { count, logs, ...rest } = answer
  const pieces = piecesOf(logs)
  if (pieces.length <= 1) return JSON.stringify(answer)
  const around = JSON.stringify({ count, logs: [], ...rest })
  const start = around.indexOf('[') + 1 // Before it stands a number.
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

function piecesOf(logs: readonly AnswerRecord[]): AnswerRecord[][] {
  const pieces: AnswerRecord[][] = []
  let length = pieceLength
  for (const record of logs) {
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
