/** A table of the engine with records in it, and questions to it with values bound. */
import type { LogRecord, Stream } from '../../src/record.ts'
import type { QueryParams } from '../../src/store/clickhouse/connection.ts'
import { LongColumn } from '../../src/store/clickhouse/native-columns.ts'
import { patternNumbers } from '../../src/store/clickhouse/pattern-numbers.ts'
import type { CollectedQuestion } from '../../src/store/clickhouse/sql/collected.ts'
import { exactNumbers } from '../../src/store/clickhouse/sql/quantity.ts'
import { computedOnce } from '../../src/store/clickhouse/sql/stages/definitions.ts'
import { patternId } from '../../src/store/clickhouse/tables.ts'
import type { EngineProcess } from './engine-process.ts'

export interface Stored {
  readonly record: LogRecord
  readonly stream: Stream
}

/** The columns that questions are about, as the store's table has them. */
const table = `CREATE TABLE otel_logs (
  ServiceName LowCardinality(String), Environment LowCardinality(String), Level LowCardinality(String),
  Body String, LogAttributes Map(LowCardinality(String), String), Time Int64, Sequence UInt64,
  PatternNumber UInt64, Pattern String ALIAS ${patternId}
) ENGINE = MergeTree ORDER BY (ServiceName, Time)`

/** Makes the table, with records of which each one's sequence is its place. */
export async function makeTable(engine: EngineProcess, stored: readonly Stored[]): Promise<void> {
  await engine.ask(table)
  await addRows(engine, stored)
}

/** Adds records, of which each one's sequence is its place behind the first. */
export async function addRows(
  engine: EngineProcess,
  stored: readonly Stored[],
  first = 0,
): Promise<void> {
  const body = Buffer.concat(stored.map((one, place) => rowOf(one, first + place)))
  const query = encodeURIComponent('INSERT INTO otel_logs FORMAT RowBinary')
  const answer = await fetch(`${engine.url}/?query=${query}`, { method: 'POST', body })
  if (!answer.ok) throw new Error(await answer.text())
}

/** One for all: a new one is 32 KB, as much as a block begins with. */
const column = new LongColumn()

/** Of some rows, as those of one file have it; 0 where it is not told. */
export function patternNumber({ record }: Stored, sequence: number): bigint {
  if (sequence % 4 === 1) return 0n
  const bytes = Buffer.from(record.message)
  patternNumbers.add(bytes, 0, bytes.length, column)
  return column.take().readBigUInt64LE(0)
}

function rowOf(stored: Stored, sequence: number): Buffer {
  const { record, stream } = stored
  const { attributes, timestamp } = record
  const numbers = Buffer.alloc(24)
  numbers.writeBigInt64LE(BigInt(timestamp), 0)
  numbers.writeBigUInt64LE(BigInt(sequence), 8)
  numbers.writeBigUInt64LE(patternNumber(stored, sequence), 16)
  const texts = [stream.service, stream.environment, record.level, record.message]
  return Buffer.concat([
    ...texts.map(textOf),
    lengthOf(attributes.length / 2),
    ...attributes.map(textOf),
    numbers,
  ])
}

function textOf(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([lengthOf(bytes.length), bytes])
}

/** LEB128. */
function lengthOf(length: number): Buffer {
  const bytes: number[] = []
  let left = length
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128)
  return Buffer.from([...bytes, left])
}

/** The rows of an answer. Rejects with the engine's text. */
export async function rowsOf<Row>(
  engine: EngineProcess,
  sql: string,
  params: QueryParams,
): Promise<Row[]> {
  const answer = await answerOf(engine, sql, params, 'JSONEachRow')
  const lines = (await answer.text()).split('\n').filter(line => line !== '')
  return lines.map(line => JSON.parse(line))
}

/** Rows of a question's answer, as its `plainOf` wants them. */
export async function rowsOfQuestion(
  engine: EngineProcess,
  { statement, params, rowsOf: rowsOfPieces }: CollectedQuestion,
  from: string,
): Promise<readonly unknown[]> {
  if (rowsOfPieces === undefined) return rowsOf(engine, statement(from), params)
  const answer = await answerOf(engine, statement(from), params, 'RowBinary')
  return rowsOfPieces([Buffer.from(await answer.arrayBuffer())])
}

async function answerOf(engine: EngineProcess, sql: string, params: QueryParams, format: string) {
  const search = new URLSearchParams({ default_format: format, max_threads: '1' })
  for (const [name, value] of Object.entries({ ...exactNumbers, ...computedOnce }))
    search.set(name, String(value))
  for (const [name, value] of Object.entries(params)) search.set(`param_${name}`, written(value))
  const answer = await fetch(`${engine.url}/?${search}`, { method: 'POST', body: sql })
  if (answer.ok) return answer
  throw new Error(`${await answer.text()}\n${sql}\n${JSON.stringify(params)}`)
}

/** As the official client writes it. */
function written(value: QueryParams[string]): string {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return escaped(value)
  return `[${value.map(text => `'${escaped(text)}'`).join(',')}]`
}

const escapes: Readonly<Record<string, string>> = {
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  "'": "\\'",
  '\\': '\\\\',
}

function escaped(text: string): string {
  return text.replace(/[\t\n\r'\\]/g, sign => escapes[sign]!)
}
