/** Reads what a tail gives, as clients do: through a parser of event streams. */
import assert from 'node:assert/strict'
import { createParser } from 'eventsource-parser'
import type { AnswerRecord, Tail } from '../../../src/store/store.ts'

export interface TailReading {
  /** In the order of the stream; a number for that many dropped. */
  readonly items: (AnswerRecord | number)[]
  readonly ended: string | undefined
}

/** Long enough for any machine: only a failing test waits for it. */
const patienceMs = 20_000

/** The records of a text; each event's id must be that of its record. */
export function recordsOf(text: Uint8Array): AnswerRecord[] {
  const records: AnswerRecord[] = []
  const parser = createParser({
    onEvent: ({ id, event, data }) => {
      const record = JSON.parse(data) as AnswerRecord
      assert.equal(event, 'record')
      assert.equal(id, record.id)
      records.push(record)
    },
    onError: error => assert.fail(error),
  })
  parser.feed(Buffer.from(text).toString())
  return records
}

/** Reads until `count` records were given or dropped, or the tail ended. */
export async function read(tail: Tail, count: number): Promise<TailReading> {
  const items: (AnswerRecord | number)[] = []
  for (let got = 0; got < count; ) {
    const event = await tail.next(patienceMs)
    assert.ok(event, `only ${got} of ${count} records came`)
    if (event.kind === 'ended') return { items, ended: event.reason }
    const added = event.kind === 'dropped' ? [event.count] : recordsOf(event.text)
    got += event.kind === 'dropped' ? event.count : added.length
    items.push(...added)
  }
  return { items, ended: undefined }
}

/** The messages of the next `count` records; none may have been dropped. */
export async function readMessages(tail: Tail, count: number): Promise<string[]> {
  const { items } = await read(tail, count)
  return items.map(item => {
    assert.ok(typeof item === 'object', `${item} records were dropped`)
    return item.message
  })
}
