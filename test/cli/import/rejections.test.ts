import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { runImport } from '../../../src/cli/import/import.ts'
import { readEventBatch } from '../../../src/ingest/read-event-batch.ts'
import { limits } from '../../../src/limits.ts'
import { type Answering, fakeService, reply } from '../fake-service.ts'
import { fakeTerminal, pipe } from '../fake-terminal.ts'

interface NamedLine {
  readonly line: number
  readonly untilLine?: number
}

/** Imports `text` as NDJSON whose time is in the field `time`. */
async function run(url: string, text: string, ...argv: string[]) {
  const terminal = fakeTerminal({ stdin: pipe(text) })
  const common = ['--url', url, '--token', 'x', '--format', 'ndjson', '--timestamp-field', 'time']
  const code = await runImport([...common, ...argv], terminal)
  return { code, printed: terminal.printed() }
}

t.test(
  'a rejected line is named when it can be told, and otherwise the lines it may be',
  async t => {
    const text = '{"n":1}\n\n{"n":3} {"n":4}\n{"torn":\n{"time":"no"}\n{"n":5}\n'
    const names = async (errors: object[], expected: object[]) => {
      const service = await fakeService(t, (_, response) =>
        reply(response, 200, { accepted: 1, rejected: errors.length, errors }),
      )
      const { code, printed } = await run(service.url, text, '--json')
      t.equal(code, 1)
      t.same(
        JSON.parse(printed).rejections,
        expected.map(one => ({ file: 'standard input', ...one })),
      )
    }
    const torn = {
      index: 3,
      code: 'json_invalid',
      detail: 'torn',
      position: { line: 3, column: 9 },
    }
    const late = { index: 4, code: 'attribute_too_large', detail: 'too long', field: 'name' }
    const { code, detail } = late
    const somewhere = { line: 3, untilLine: 6, code, detail }

    await names([torn], [{ line: 4, code: 'json_invalid', detail: 'torn' }])
    await names([{ ...late, index: 0 }], [{ line: 1, code, detail }])
    await names([late], [somewhere])
    await names([{ ...late, index: 1 }], [somewhere])
    await names([{ ...late, index: 9_999 }], [somewhere])
    await names([{ ...late, position: { line: 4 } }], [{ line: 5, code, detail }])
    await names([{ ...late, position: { line: 99 } }], [{ ...somewhere, line: 1 }])
    await names([{ ...late, position: 'strange' }], [somewhere])
  },
)

t.test('people read the lines that it may be', async t => {
  const error = { index: 1, code: 'attribute_too_large', detail: 'too long' }
  const service = await fakeService(t, (_, response) =>
    reply(response, 200, { accepted: 3, rejected: 1, errors: [error] }),
  )
  const { printed } = await run(service.url, '{} {}\n{"time":"no"}\n{}\n')
  const line = /^ {2}standard input, one of lines 1 to 3: attribute_too_large: too long$/m
  t.match(printed, line)
})

/** Answers as the service does, and keeps the ids of the events that it stored. */
function judging(stored: Set<number>): Answering {
  return ({ lines }, response) => {
    const body = Buffer.from(`${lines.join('\n')}\n`)
    const context = { receivedAt: 1, timestampField: 'time', eventBytesMax: 10_000 }
    const errors: object[] = []
    let acceptedCount = 0
    try {
      for (const { index, record, problem } of readEventBatch(body, context)) {
        if (problem === undefined) {
          const { attributes } = record // Names and values in turn.
          stored.add(Number(attributes[attributes.indexOf('id') + 1]))
          acceptedCount += 1
        } else {
          errors.push({ index, code: problem.code, detail: 'no', ...problem.extras })
        }
      }
    } catch (error) {
      const { code, extras } = error as { code: string; extras: object }
      return reply(response, 400, { code, ...extras })
    }
    return reply(response, 200, { accepted: acceptedCount, rejected: errors.length, errors })
  }
}

/** An event with it is rejected, and no place is known. */
const longName = 'n'.repeat(limits.attributeNameBytesMax + 1)

t.test('no line is named that was stored, whatever stands beside it', async t => {
  const forms: ((id: number) => string)[] = [
    id => `{"id":${id}}`,
    id => `{"id":${id}} {"id":${id + 0.5}}`,
    id => `{"id":${id},"${longName}":1}`,
    id => `{"id":${id},"torn":`,
    id => `{"id":${id},"torn":"abc`,
    id => `${id}}`,
    () => 'plain text',
    () => '5',
    () => '[1',
  ]
  let stored = new Set<number>()
  const service = await fakeService(t, (...request) => judging(stored)(...request))
  const lines = fc.array(fc.constantFrom(...forms), { minLength: 1, maxLength: 9 })
  let namedCount = 0
  const property = fc.asyncProperty(lines, async lines => {
    stored = new Set()
    const text = lines.map((form, index) => `${form(index + 1)}\n`).join('')
    const { printed } = await run(service.url, text, '--json')
    for (const { line, untilLine } of JSON.parse(printed).rejections as NamedLine[]) {
      const named = lines.slice(line - 1, untilLine ?? line)
      const isStored = named.every((_, index) => stored.has(line + index))
      assert.ok(!isStored, `line ${line} to ${untilLine ?? line}`)
      namedCount += untilLine === undefined ? 1 : 0
    }
  })
  await fc.assert(property, { numRuns: 200 })
  t.ok(namedCount > 100, `${namedCount} lines were named`)
})
