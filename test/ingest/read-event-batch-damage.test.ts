import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import {
  type EventBatchContext,
  type Outcome,
  readEventBatch,
} from '../../src/ingest/read-event-batch.ts'
import { limits } from '../../src/limits.ts'
import { ProblemError } from '../../src/problems.ts'
import { forAll } from '../for-all.ts'
import { longRuns } from '../long-runs.ts'
import { checkBody } from './direct/both-ways.ts'

const context: EventBatchContext = { receivedAt: 0, timestampField: undefined, eventBytesMax: 1024 }

/** Messages of the records, codes of the problems, in order. */
const outcomes = (body: string | Buffer) =>
  [...readEventBatch(Buffer.from(body), context)].map(({ index, record, problem }, place) => {
    assert.equal(index, place)
    return record?.message ?? problem?.code
  })

const a = '{"message":"a"}'
const b = '{"message":"b"}'
const c = '{"message":"c"}'
const bad = 'json_invalid'

t.test('a bad line costs no other line', async t => {
  const costs = (line: string, ...expected: (string | undefined)[]) => {
    t.strictSame(outcomes(`${a}\n${line}\n${b}\n${c}\n`), ['a', ...expected, 'b', 'c'], line)
    t.strictSame(outcomes(`${line}\r\n${b}\r\n${c}`), [...expected, 'b', 'c'], `first: ${line}`)
  }

  costs('oops', bad)
  costs('plain text, of {many} "words": 1 2 3', bad)
  costs('2023-01-01 12:00:00 INFO started', bad)
  costs('{"message":oops}', bad)
  costs("{'message':'x'}", bad)
  costs('{"message":"x",}', bad)
  costs('{"message":"x"', bad)
  costs('{"message":"x","d":{"e":1', bad)
  costs('{"message":"x', bad)
  costs('{"message', bad)
  costs('{', bad)
  costs('{"message"', bad)
  costs('{"message":', bad)
  costs('{"message":"x",', bad)
  costs('{"message":"x","d":[', bad)
  costs('{"message":"x","d":[1,', bad)
  costs('{"message":"x\\', bad)
  costs('{"message":"tab\there"}', bad)
  costs('{"message":x",y:"z"}', bad)
  costs('{"a":[}', bad)
  costs('}', bad)
  costs('"x', bad)
  costs('{"message":"\\ud800"}', 'utf8_invalid')
  costs(`{"message":"${'x'.repeat(1024)}"}`, 'body_too_large')
  costs(`{"a":${'['.repeat(64)}${']'.repeat(64)}}`, 'json_too_deep')
  costs('{"message":"x"} oops', 'x', bad)
  costs('{"message":"x"},', 'x', bad)
  costs('{"message":"x"},{"message":"y"}', 'x', bad, 'y')
  costs('{"message":oops}{"message":"y"}', bad, 'y')
})

t.test('text between events of a line costs no event of it', async t => {
  const gives = (body: string, ...expected: (string | undefined)[]) => {
    t.strictSame(outcomes(body), expected, body)
    t.strictSame(outcomes(`${a}\n${body}\n${c}`), ['a', ...expected, 'c'], `between lines: ${body}`)
  }

  gives(`${a} oops ${b}`, 'a', bad, 'b')
  gives(`${a}oops${b}`, 'a', bad, 'b')
  gives(`${a} oops ${b} and more ${c} at last`, 'a', bad, 'b', bad, 'c', bad)
  gives(`${a} several words, and 1 number ${b}`, 'a', bad, 'b')
  gives(`${a} 5" wide ${b}`, 'a', bad, 'b')
  gives(`${a} a "quoted {" ${b}`, 'a', bad, 'b')
  gives(`${a} { [ nor } ( closed ${b}${b}`, 'a', bad, bad, 'b', 'b')
  gives(`${a} see [1 {] ${b}`, 'a', bad, 'b')
  gives(`${a} see [this] ${b}`, 'a', bad, 'b')
  gives(`${a} see [1] ${b}`, 'a', bad, '[1]', 'b')
  gives(`${a} 7 oops ${b}`, 'a', bad, 'b')
  gives(`${a} oops {"message":"torn" ${b}`, 'a', bad, 'b')
  gives(`${a} oops {"message":"torn`, 'a', bad)
  gives(`${a} oops`, 'a', bad)
  t.strictSame(outcomes(`${a}\ntext first ${b} oops ${c}`), ['a', bad], 'text that begins a line')
  t.strictSame(outcomes(`[${a} several words ${b}]`), ['a', bad, bad, 'b'])
})

t.test('the place of text between events of a line is its own', async t => {
  const body = `${a}\n${b} ö oops ${c} oops\n`
  const found = [...readEventBatch(Buffer.from(body), context)]
  t.strictSame(
    found.map(({ problem }) => problem?.extras.position),
    [
      undefined,
      undefined,
      { line: 2, column: 17, offset: 32 },
      undefined,
      { line: 2, column: 40, offset: 56 },
    ],
  )
})

t.test('brackets in stray text cost time in proportion', async t => {
  const body = Buffer.from(`${a} ${'oops [{ '.repeat(20_000)}`.repeat(4))
  const startedAt = process.cpuUsage().user
  t.strictSame(outcomes(body).slice(0, 2), ['a', 'body_too_large'])
  const ms = (process.cpuUsage().user - startedAt) / 1_000
  t.ok(ms < 2_000, `${ms} ms of processor time for ${body.length} bytes`)
})

t.test('a line that is not UTF-8 costs no other line', async t => {
  const line = Buffer.from('{"message":"\xff"}\n', 'latin1')
  const umlaut = Buffer.from('{"message":"ü"}\n')
  t.strictSame(outcomes(Buffer.concat([umlaut, line, umlaut])), ['ü', 'utf8_invalid', 'ü'])
  const torn = Buffer.from('{"message":"\xff\n', 'latin1')
  t.strictSame(outcomes(Buffer.concat([umlaut, torn, umlaut])), ['ü', 'utf8_invalid', 'ü'])
})

t.test('a bad element of an array costs no other element', async t => {
  const costs = (element: string, ...expected: (string | undefined)[]) => {
    t.strictSame(outcomes(`[${a},${element},${b},${c}]`), ['a', ...expected, 'b', 'c'], element)
    const indented = `[\n  ${element},\n  ${b},\n  ${c}\n]`
    t.strictSame(outcomes(indented), [...expected, 'b', 'c'], `indented: ${element}`)
  }

  costs('oops', bad)
  costs('', bad)
  costs('{"message":oops}', bad)
  costs("{'message':'x'}", bad)
  costs('{"message":"x",}', bad)
  costs('{"message":"x" "y"}', bad)
  costs('{"a":[}', bad)
  costs('{"a":1{"b":2}}', bad)
  costs('{"message":"x"} {"message":"y"}', 'x', 'y')
  costs('{"message":"x"}}', 'x', bad)
  costs('"tab\there"', bad)
  costs('01', bad)
  costs('{"message":"\\ud800"}', 'utf8_invalid')
  costs(`{"message":"${'x'.repeat(1024)}"}`, 'body_too_large')
  costs(`{"a":${'['.repeat(64)}${']'.repeat(64)}}`, 'json_too_deep')
})

t.test('a torn line of an array costs no other line', async t => {
  const costs = (line: string) => {
    const body = `[\n  ${a},\n  ${line}\n  ${b},\n  ${c}\n]\n`
    t.strictSame(outcomes(body), ['a', bad, 'b', 'c'], line)
  }

  costs('{"message":"x')
  costs('{"message":"x"')
  costs('{"message":')
  costs('{"message":"x","d":[')
  costs('["x')
})

t.test('of a torn array, what was read stays and the rest is one problem', async t => {
  const gives = (body: string, ...expected: (string | undefined)[]) =>
    t.strictSame(outcomes(body), expected, body)

  gives(`[${a},${b}`, 'a', 'b', bad)
  gives(`[${a},${b},`, 'a', 'b', bad)
  gives(`[${a},{"message":"b`, 'a', bad)
  gives(`[${a},{"message":"b},${c}]`, 'a', bad)
  gives(`[${a},{"message":{"b":1},${c}]`, 'a', bad, bad)
  gives('[1,2,34', '1', '2', bad)
  gives('[1,2,34 ', '1', '2', '34', bad)
  gives(`[${a},"b`, 'a', bad)
  gives(`[${a},`, 'a', bad)
  gives(`[${a}]]`, 'a', bad)
  gives(`[${a},]`, 'a', bad)
  gives(`[,${a}]`, bad, 'a')
  gives(`[${a},,${b}]`, 'a', bad, 'b')
  gives(`[${a}] oops\n${b}`, 'a', bad, 'b')
})

t.test('a broken indented event costs no other event', async t => {
  const costs = (...lines: string[]) => {
    const body = `{\n  "message": "a"\n}\n${lines.join('\n')}\n{\n  "message": "b"\n}\n${c}\n`
    t.strictSame(outcomes(body), ['a', bad, 'b', 'c'], lines.join(' '))
  }

  costs('{', '  "message": oops', '}')
  costs('{', '  "message": "x', '}')
  costs('{', '  "message": {', '    "d": 1', '}')
  costs('{', '  "list": [', '    {"e":1}', '    {"f":2}', '  ]', '}')
  costs('{', '  "message": "x",')

  const wrongBracket = '{\n  "list": [\n    {"e":1}\n  }\n}'
  t.strictSame(outcomes(`${wrongBracket}\n${b}`), [bad, bad, 'b'])
})

t.test('a value of several lines is one, also behind a line that was torn', async t => {
  const gives = (body: string, ...expected: (string | undefined)[]) =>
    t.strictSame(outcomes(body), expected, body)

  gives(`{"":\n${a}\n{"message":"x","d":{\n},"e":{"f":1}}\n${b}`, bad, 'a', 'x', 'b')
  gives(`{"":\n${a}\n{"message":"x","d":[{\n}],"e":{"f":{}}}`, bad, 'a', 'x')
})

t.test('places in problems are places in the body', async t => {
  const place = (body: string, line: number, column: number, offset: number) => {
    const problems = [...readEventBatch(Buffer.from(body), context)].map(({ problem }) => problem)
    const { extras } = problems.find(problem => problem !== undefined)!
    t.strictSame(extras.position, { line, column, offset }, JSON.stringify(body))
  }

  place(`${a}\n{"m":oops}\n`, 2, 6, 21)
  place(`{"message":"ü"}\n{"ü":oops}\n`, 2, 6, 23)
  place(`${a}\n\r\n  oops\n`, 3, 3, 20)
  place(`[${a}, oops]`, 1, 19, 18)
  place(`[${a}`, 1, 17, 16)
  place(`${a}\n{"m":"x\n${b}`, 2, 8, 23)
  place(`${a}\n{"m":"\\ud800"}`, 2, 7, 22)
  place(`\ufeff${a} oops`, 1, 17, 19)
})

t.test('every problem has a place, in order, and a flood of them too', async t => {
  const count = 3 * limits.ingestErrorsListedMax
  const body = Buffer.from(`${a}\n${'oops\n'.repeat(count)}${b}`)
  const all = [...readEventBatch(body, context)]
  t.equal(all.length, count + 2)
  const lines = all.flatMap(({ problem }) => problem?.extras.position?.line ?? [])
  t.strictSame(
    lines,
    Array.from({ length: count }, (_, index) => index + 2),
  )
  t.equal(all.at(-1)?.record?.message, 'b')
  t.not(Error.stackTraceLimit, 0)
})

/** Pieces that bodies break at. */
const piece = fc.oneof(
  fc.constantFrom(a, b, `${a}\n`, `${b},\n`, '\n', '\r\n', ' ', '  ', '[', ']', '{', '}', ',', ':'),
  fc.constantFrom(
    '"',
    '\\',
    '"k"',
    '{"k":',
    '[1,',
    'true',
    '12',
    '-',
    '1e400',
    '\\ud800',
    'é',
    'x',
  ),
  fc.constantFrom(...['"\\ud83c"', '\ufeff', '\u0000', '{"k":[\n', '"x\n', '9007199254740993']),
)
const pieces = fc.array(fc.oneof(piece, fc.uint8Array({ maxLength: 2 })), { maxLength: 30 })
const anyBody = pieces.map(parts => Buffer.concat(parts.map(part => Buffer.from(part as string))))

t.test('any body gives records and problems, or is refused, and nothing else', async () => {
  forAll(longRuns(5000), anyBody, body => isAnswered(body))
})

t.test('a body cut off gives the events before the cut and one problem at most', async () => {
  const texts = fc.array(fc.json({ maxDepth: 3 }), { minLength: 1, maxLength: 6 })
  forAll(longRuns(1000), texts, fc.boolean(), fc.nat(), (events, isArray, cut) => {
    const whole = Buffer.from(isArray ? `[${events.join(',')}]` : events.join('\n'))
    const body = whole.subarray(0, cut % (whole.length + 1))
    assert.ok(isAnswered(body))
    const expected = readAll(whole).map(({ record }) => record?.message)
    const read = readAll(body)
    const messages = read.flatMap(({ record }) => record?.message ?? [])
    // Outside an array, a number that is cut off is another number, and no reader can tell.
    const isCutNumber = !isArray && /\d$/.test(body.toString('latin1'))
    const sureCount = Math.max(0, messages.length - (isCutNumber ? 1 : 0))
    assert.deepEqual(messages.slice(0, sureCount), expected.slice(0, sureCount))
    assert.ok(read.length <= messages.length + 1)
  })
})

t.test('sound lines survive any damaged line between them', async () => {
  const damaged = fc
    .tuple(fc.json(), fc.nat())
    .map(([text, cut]) => text.slice(0, cut % text.length))
  forAll(longRuns(2000), fc.array(damaged, { maxLength: 5 }), lines => {
    const body = [...lines.flatMap((line, index) => [`{"message":"m${index}"}`, line]), c].join(
      '\n',
    )
    const read = outcomes(body)
    for (const index of lines.keys()) {
      assert.ok(read.includes(`m${index}`), body)
    }
    assert.equal(read.at(-1), 'c', body)
  })
})

t.test('events of one line survive any text between them, read either way', async () => {
  const word = fc.stringMatching(/^[a-z"':.%-]{1,8}$/)
  const text = fc.oneof(
    fc.constant(''),
    word,
    fc.array(word).map(words => ` ${words.join(' ')} `),
  )
  forAll(longRuns(1000), fc.array(text, { minLength: 1, maxLength: 8 }), texts => {
    const body = texts.map((text, index) => `{"message":"m${index}"}${text}`).join('')
    const read = outcomes(body)
    for (const index of texts.keys()) assert.ok(read.includes(`m${index}`), body)
    checkBody(Buffer.from(body), context)
  })
})

/** All outcomes, also of a body that is refused in the end. */
function readAll(body: Buffer): Outcome[] {
  const read: Outcome[] = []
  try {
    for (const outcome of readEventBatch(body, context)) {
      read.push(outcome)
    }
  } catch (error) {
    assert.ok(error instanceof ProblemError)
  }
  return read
}

function isAnswered(body: Buffer): boolean {
  let count = 0
  try {
    for (const { index, record, problem } of readEventBatch(body, context)) {
      assert.equal(index, count)
      assert.ok((record === undefined) !== (problem === undefined))
      assert.ok(problem === undefined || problem.extras.position !== undefined)
      count += 1
    }
    return true
  } catch (error) {
    return error instanceof ProblemError && ['body_empty', 'events_unreadable'].includes(error.code)
  }
}
