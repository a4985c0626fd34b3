import fc from 'fast-check'
import t from 'tap'
import { makeRandom } from '../../../bench/random.ts'
import { bulkTimestampField } from '../../../src/ingest/formats/bulk.ts'
import { forAll } from '../../for-all.ts'
import { eventText, jsonWords, usualEventText } from '../../fuzz/json-texts.ts'
import { mutate } from '../../fuzz/mutate.ts'
import { longRuns } from '../../long-runs.ts'
import { checkBody, receivedAt, type Way, waysOf as waysOfBody } from '../direct/both-ways.ts'

const context = { receivedAt, timestampField: bulkTimestampField, eventBytesMax: 64 * 1024 }

const waysOf = (body: Buffer) => waysOfBody(body, context, 'bulk')

t.test('documents are read directly, and end where their line ends', async t => {
  const lines: readonly (readonly [string, Way])[] = [
    ['{"@timestamp":"2026-11-20T10:00:00Z","message":"m"}', 'direct'],
    ['{"message":"without a time"}', 'direct'],
    ['  {"@timestamp":1795183402118,"time":"2026-11-20T10:00:00Z"} \r', 'direct'],
    ['{"time":"2026-11-20T10:00:00Z","message":"m"}', 'plain'],
    ['{"a":1} {"b":2}', 'refused'],
    ['{"a":1', 'refused'],
    ['"a text"', 'plain'],
    [`{"long":"${'x'.repeat(context.eventBytesMax)}"}`, 'refused'],
    [`{"message":"${'x'.repeat(60_000)}"}`, 'direct'],
  ]
  for (const action of ['{"create":{}}', '{ "index" : {"_id":"a long id, of the document"} }']) {
    const body = lines.map(([line]) => `${action}\n${line}\n`).join('\n')
    t.same(
      waysOf(Buffer.from(body)),
      lines.map(([, way]) => way),
      action,
    )
  }
  const inTwoLines = '{"create":{}}\n{"a":1\n}\n'
  t.same(waysOf(Buffer.from(inTwoLines)), ['refused'], 'its second line is no action')
  t.same(waysOf(Buffer.from('{"create":{}}\n{"a":1}\n{"delete":{}}\n{"index":{}}')), [
    'direct',
    'refused',
    'refused',
  ])
  const torn = Buffer.from('{"create":{}}\n{"a":"?"}\n')
  torn[torn.indexOf('?')] = 0xff
  t.same(waysOf(torn), ['refused'])
})

const action = fc.constantFrom(
  '{"create":{}}',
  '{"create":{}}',
  '{"create":{"_index":"logs"}}',
  '{"create":{"_index":"logs","_id":"1"}}',
  '{"index":{"_id":2}}',
  '{"update":{}}',
)
const document = fc.nat().map(seed => {
  const random = makeRandom(seed)
  const text = random.pick([usualEventText, usualEventText, eventText])(random)
  const time = random.pick(['', '"@timestamp":"2026-11-20T10:00:00.5Z",', '"@timestamp":null,'])
  return text.replaceAll(/[\r\n]/g, ' ').replace(/^\{(?=")/, `{${time}`)
})

t.test(
  'what is read directly is what the plain way makes, of whole bodies and torn ones',
  async t => {
    const pairs = fc.array(fc.tuple(action, document), { minLength: 1, maxLength: 5 })
    forAll(longRuns(5_000), pairs, fc.nat(), (pairs, seed) => {
      const body = Buffer.from(pairs.map(pair => `${pair.join('\n')}\n`).join(''))
      checkBody(body, context, 'bulk')
      checkBody(mutate(body, makeRandom(seed), [...jsonWords, '\n']), context, 'bulk')
    })
    t.pass()
  },
)
