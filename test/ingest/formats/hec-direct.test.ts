import fc from 'fast-check'
import t from 'tap'
import { makeRandom } from '../../../bench/random.ts'
import { limits } from '../../../src/limits.ts'
import { forAll } from '../../for-all.ts'
import { eventText, jsonWords, usualEventText } from '../../fuzz/json-texts.ts'
import { mutate } from '../../fuzz/mutate.ts'
import { longRuns } from '../../long-runs.ts'
import { checkBody, receivedAt, waysOf as waysOfBody } from '../direct/both-ways.ts'

const context = { receivedAt, timestampField: undefined, eventBytesMax: 64 * 1024 }

function waysOf(text: string, more: { parse?: 'json'; given?: Record<string, string> } = {}) {
  return waysOfBody(Buffer.from(text), { ...context, ...more }, 'hec')
}

/** Whether the one event of a body is not read directly. */
function isLeft(...asked: Parameters<typeof waysOf>): boolean {
  const ways = waysOf(...asked)
  return ways.length === 1 && ways[0] !== 'direct'
}

t.test('usual events are read directly', async t => {
  const events = [
    '{"event":"a line"}',
    '{"event":""}',
    '{"time":1795183402.118,"host":"web-1","source":"app","sourcetype":"_json","event":{"a":1}}',
    '{"event":{"level":"warn","message":"m","n":{"a":[1]}},"host":"größe","time":"1795183402.118000"}',
    '{"time":1795183402118,"event":"\\"quoted\\"\\n\\u00e9 größe","index":"main","source":""}',
    '{"time":1795183402,"event":{"no":"message"},"fields":{"region":"eu","a.b":"x"}}',
    '{ "time" : "1795183402" ,\t"event" : { "message" : "m" } , "fields" : { } }',
    '{"level":"error","severity":"3","warn":"x","event":"of what is around it"}',
    '{"fields":{"level":"debug","error":"x"},"event":"the same of fields"}',
    '{"event":{"service.name":"mine","error":{"a":1}},"environment":"mine","message":"x"}',
    '{"event":{"message":"m","line":"no line of Docker\'s"}}',
    '{"event":{"__proto__":"p","constructor":{"a":1}},"toString":"x","":"empty"}',
  ]
  for (const event of events) t.same(waysOf(event), ['direct'], event)
  t.same(waysOf(events.join('')), Array(events.length).fill('direct'), 'one after the other')
  t.same(waysOf('{"event":{"message":"plain"}}', { parse: 'json' }), ['direct'])
})

t.test('others go the plain way, and none is read otherwise', async t => {
  const many = Array.from({ length: limits.eventAttributesMax + 1 }, (_, i) => `"a${i}":"x"`)
  const long = 'x'.repeat(limits.attributeValueBytesMax + 1)
  const ofTime = [
    ...['0', 'null', '""', '"soon"', '1e9', '-5', '179518340211.5', '1795183402.1185'],
    ...['"1795183402."', '"1795183402x"', '1795183402118123', '01', '"1e9"'],
  ].map(time => `{"time":${time},"event":"a line"}`)
  t.same(waysOf('{"time":1,"event":"a line"}'), ['direct'], 'a second after 1970')
  for (const event of ofTime) t.ok(isLeft(event), event)
  const others = [
    '{"event":{}}',
    '{"event":7}',
    '{"event":null}',
    '{"host":"web-1"}',
    '{"event":[1,2]}',
    '{"event":{"line":"of Docker","tag":"t"},"source":"x"}',
    '{"event":{"line":null}}',
    '{"event":{"message":"m"},"level":"error"}',
    '{"event":{"message":"m"},"fields":{"error":"x"}}',
    '{"event":{"host":"inner"},"host":"outer"}',
    '{"event":{"host":{"name":"inner"}},"host":"outer"}',
    '{"event":{"host":{"name":"inner"}},"host.name":"outer"}',
    '{"event":{"message":"inner"},"message":"outer"}',
    '{"host":"a","host":"b","event":"x"}',
    '{"host":"a","fields":{"host":"b"},"event":"x"}',
    '{"event":"a","event":"b"}',
    '{"event":"a","event":{"a":1}}',
    '{"event":{"a":1},"event":{"b":1}}',
    '{"time":1795183402,"time":1795183403,"event":"x"}',
    '{"fields":{"a":"1"},"fields":{"b":"2"},"event":"x"}',
    '{"host":7,"event":"x"}',
    '{"host":"a\\tb","event":"x"}',
    '{"7":"a","event":"x"}',
    '{"fields":[],"event":"x"}',
    '{"event":"\\ud83d\\ude00"}',
    '{"event":"\\ud83d"}',
    `{"event":"x","a":"${long}"}`,
    `{"event":"x","${'n'.repeat(300)}":"x"}`,
    `{"event":"x",${many.join()}}`,
    `{"event":"${'x'.repeat(context.eventBytesMax)}"}`,
  ]
  for (const event of others) t.ok(isLeft(event), event.slice(0, 80))
  const json = '{"event":"{\\"level\\":\\"warn\\"}"}'
  t.ok(isLeft(json, { parse: 'json' }))
  t.ok(isLeft('{"event":"x"}', { given: { host: 'of the address' } }))
  waysOf('{"event":"x"} , {"event":{"a":1}')
})

t.test('bytes that are no UTF-8 are refused wherever they stand', async t => {
  const text = '{"time":1,"NAME":"VALUE","event":{"INNER":"TEXT"},"fields":{"FIELD":"DATA"}}\n'
  for (const place of ['NAME', 'VALUE', 'INNER', 'TEXT', 'FIELD', 'DATA']) {
    const body = Buffer.from(`{"event":"good"}${text}`)
    body[body.indexOf(place)] = 0xff
    checkBody(body, context, 'hec')
  }
  t.pass()
})

const names = 'host source level severity error message line a a.b timestamp_ns service.name 7 ä'
const name = fc.constantFrom(...names.split(' '))
const value = fc.constantFrom('', 'warn', '30', 'x', 'größe', 'ab\\n')
const around = fc.array(fc.tuple(name, value), { maxLength: 3 })
const time = fc.oneof(
  fc.constantFrom('1795183402.118', '"1795183402.118000"', '1795183402', '"x"', '0', '1.5'),
  fc.integer({ min: -10, max: 2 ** 48 }).map(String),
  fc.double({ min: 0, max: 2e9, noNaN: true }).map(String),
)
const seed = fc.nat()

const membersOf = (pairs: readonly (readonly [string, string])[]) =>
  pairs.map(([name, value]) => `${JSON.stringify(name)}:"${value}"`)

const eventOf = (seed: number) => {
  const random = makeRandom(seed)
  const text = JSON.stringify(random.pick(['a line', 'größe "x"\n', '{"a":1}', '']))
  return random.pick([usualEventText, usualEventText, eventText, () => text])(random)
}

const hecText = fc
  .tuple(around, fc.option(time), fc.option(around), seed, fc.boolean())
  .map(([around, time, fields, seed, isReversed]) => {
    const members = membersOf(around)
    if (time !== null) members.push(`"time":${time}`)
    members.push(`"event":${eventOf(seed)}`)
    if (fields !== null) members.push(`"fields":{${membersOf(fields).join()}}`)
    if (isReversed) members.reverse()
    return `{${members.join()}}`
  })

t.test(
  'what is read directly is what the plain way makes, of whole bodies and torn ones',
  async t => {
    const parse = fc.constantFrom('json' as const, undefined)
    const texts = fc.array(hecText, { minLength: 1, maxLength: 4 })
    forAll(longRuns(5_000), texts, parse, seed, (texts, parse, seed) => {
      const body = Buffer.from(texts.join('\n'))
      checkBody(body, { ...context, parse }, 'hec')
      checkBody(mutate(body, makeRandom(seed), jsonWords), { ...context, parse }, 'hec')
    })
    t.pass()
  },
)
