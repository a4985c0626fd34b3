import assert from 'node:assert/strict'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { type FieldPlace, flatten } from '../../src/ingest/flatten.ts'
import { parseEvent } from '../../src/ingest/json.ts'
import type { EventObject } from '../../src/ingest/level.ts'
import { limits } from '../../src/limits.ts'
import { anyCodePoint } from '../any-code-point.ts'
import { forAll } from '../for-all.ts'

const nothingUsed: readonly FieldPlace[] = []

const flattenText = (text: string) =>
  flatten(parseEvent(Buffer.from(text)) as EventObject, nothingUsed)

const becomesIn =
  (t: Test) =>
  (text: string, ...attributes: string[]) =>
    t.strictSame(flattenText(text), attributes, text)

t.test('every field becomes text under its path', async t => {
  const becomes = becomesIn(t)
  becomes('{}')
  becomes('{"a":"x"}', 'a', 'x')
  becomes('{"a":""}', 'a', '')
  becomes('{"a":1,"b":-2.5,"c":0}', 'a', '1', 'b', '-2.5', 'c', '0')
  becomes('{"a":true,"b":false,"c":null}', 'a', 'true', 'b', 'false', 'c', 'null')
  becomes('{"a":{"b":{"c":"deep"},"d":1}}', 'a.b.c', 'deep', 'a.d', '1')
  becomes('{"metadata":{"source":"web"}}', 'metadata.source', 'web')
  becomes('{"a":[]}', 'a', '[]')
  becomes('{"a":{}}', 'a', '{}')
  becomes('{"a":{"b":{}}}', 'a.b', '{}')
  becomes('{"a":[1,{"b":[null,"x"]}]}', 'a', '[1,{"b":[null,"x"]}]')
  becomes('{"a":"größe 🎉"}', 'a', 'größe 🎉')
  becomes('{"a":"\\u0000\\n"}', 'a', '\u0000\n')
})

t.test('any key is only data', async t => {
  const becomes = becomesIn(t)
  becomes('{"__proto__":"x"}', '__proto__', 'x')
  becomes('{"__proto__":{"a":1}}', '__proto__.a', '1')
  becomes('{"a":{"__proto__":{"polluted":true}}}', 'a.__proto__.polluted', 'true')
  becomes('{"a":[{"__proto__":1}]}', 'a', '[{"__proto__":1}]')
  becomes(
    '{"constructor":{"prototype":1},"toString":2}',
    'constructor.prototype',
    '1',
    'toString',
    '2',
  )
  becomes(
    '{"toJSON":1,"then":2,"hasOwnProperty":3}',
    'toJSON',
    '1',
    'then',
    '2',
    'hasOwnProperty',
    '3',
  )
  becomes('{"rawJSON":"5","a":{"rawJSON":"6"}}', 'rawJSON', '5', 'a.rawJSON', '6')
  becomes('{"":"x"}', '', 'x')
  becomes('{"":{"":{"":1}}}', '..', '1')
  becomes('{"a.b":1,".":2,"c..d":3}', 'a.b', '1', '.', '2', 'c..d', '3')
  t.equal(({} as Record<string, unknown>).polluted, undefined)
})

t.test('of two fields that come to one name the later counts', async t => {
  const becomes = becomesIn(t)
  becomes('{"a.b":1,"x":0,"a":{"b":2}}', 'a.b', '2', 'x', '0')
  becomes('{"a":{"b":2},"a.b":1}', 'a.b', '1')
  becomes('{"a":{"b.c":1,"b":{"c":2}}}', 'a.b.c', '2')
  becomes('{"a":1,"a":2}', 'a', '2')
  becomes('{"environment":1,"payload":{"environment":2}}', 'payload.environment', '2')
  becomes('{"payload.log_level":1,"log_level":2}', 'payload.log_level', '2')
})

t.test('names that mean something else in a query are kept under payload', async t => {
  const becomes = becomesIn(t)
  becomes('{"service.name":"x"}', 'payload.service.name', 'x')
  becomes('{"service":{"name":"x","id":1}}', 'payload.service.name', 'x', 'service.id', '1')
  becomes('{"service":"x"}', 'service', 'x')
  becomes('{"environment":"x"}', 'payload.environment', 'x')
  becomes('{"environment":{}}', 'payload.environment', '{}')
  becomes('{"environment":["x"]}', 'payload.environment', '["x"]')
  becomes('{"log_level":"x"}', 'payload.log_level', 'x')
  becomes('{"message":null}', 'payload.message', 'null')
  becomes('{"a":{"message":1,"environment":2}}', 'a.message', '1', 'a.environment', '2')
  becomes('{"timestamp":1,"msg":2,"level":3}', 'timestamp', '1', 'msg', '2', 'level', '3')
})

t.test('what is nested in a field of such a name keeps its own', async t => {
  const becomes = becomesIn(t)
  becomes(
    '{"environment":{"name":"x","a":{"b":1}}}',
    'environment.name',
    'x',
    'environment.a.b',
    '1',
  )
  becomes('{"service.name":{"a":1}}', 'service.name.a', '1')
  becomes('{"service":{"name":{"first":"x"}}}', 'service.name.first', 'x')
  becomes('{"log_level":{"a":1}}', 'log_level.a', '1')
})

t.test('fields that became something else are not repeated', async t => {
  const event = parseEvent(Buffer.from('{"level":1,"msg":2,"t":{"at":3,"level":4},"x":{"at":5}}'))
  const holder = (event as { t: EventObject }).t
  const own = event as EventObject
  const used = [
    { holder: own, name: 'level' },
    { holder: own, name: 'msg' },
    { holder, name: 'at' },
  ]
  t.strictSame(flatten(own, used), ['t.level', '4', 'x.at', '5'])
})

t.test('as many and as large attributes as the limits say are kept', async t => {
  const many = {
    a: Array.from({ length: limits.eventAttributesMax }, (_, index) => [`k${index}`, 1]),
  }
  const event = { nested: Object.fromEntries(many.a) }
  t.equal(flatten(event, nothingUsed).length, 2 * limits.eventAttributesMax)

  const value = 'x'.repeat(limits.attributeValueBytesMax)
  const name = 'n'.repeat(limits.attributeNameBytesMax)
  t.strictSame(flatten({ [name]: value }, nothingUsed), [name, value])
  t.equal(flatten({ a: 'é'.repeat(limits.attributeValueBytesMax / 2) }, nothingUsed).length, 2)
})

t.test('one attribute too many or too large is refused by name', async t => {
  const refuses = (event: EventObject, code: string, field: string) =>
    t.throws(() => flatten(event, nothingUsed), { code, extras: { field } }, `${code} ${field}`)

  const keys = Array.from({ length: limits.eventAttributesMax + 1 }, (_, index) => `k${index}`)
  const many = Object.fromEntries(keys.map(key => [key, 1]))
  refuses(many, 'attributes_too_many', 'k1000')
  refuses({ a: many }, 'attributes_too_many', 'a.k1000')

  const tooLarge = 'x'.repeat(limits.attributeValueBytesMax + 1)
  refuses({ a: { b: tooLarge } }, 'attribute_too_large', 'a.b')
  refuses({ a: [tooLarge] }, 'attribute_too_large', 'a')
  refuses({ a: `${'é'.repeat(limits.attributeValueBytesMax / 2)}x` }, 'attribute_too_large', 'a')
  const longName = 'n'.repeat(limits.attributeNameBytesMax + 1)
  refuses({ [longName]: 1 }, 'attribute_too_large', `${'n'.repeat(200)}…`)
})

/** Names that collide, rename or confuse, beside any others. */
const keys = fc.oneof(
  fc.constantFrom('a', 'b', 'a.b', '', '.', 'service', 'name', 'service.name', 'environment'),
  fc.constantFrom('__proto__', 'constructor', 'payload', 'log_level', 'message', '0', '1e3'),
  fc.string({ unit: anyCodePoint }),
)

const { event: events } = fc.letrec(tie => ({
  leaf: fc.oneof(fc.string({ unit: anyCodePoint }), fc.double(), fc.boolean(), fc.constant(null)),
  list: fc.array(tie('value'), { maxLength: 3 }),
  value: fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('list'), tie('event')),
  event: fc.dictionary(keys, tie('value'), { maxKeys: 5 }),
}))

t.test('each leaf of any object is found under its path', async () => {
  forAll({ numRuns: 1000 }, events, made => {
    const text = JSON.stringify(made)
    const expected = new Map<string, string>()
    collect(JSON.parse(text), undefined, expected)
    assert.deepEqual(flattenText(text), [...expected].flat())
  })
})

/** The rule once more, as plain as can be. */
function collect(object: object, prefix: string | undefined, into: Map<string, string>): void {
  for (const [key, value] of Object.entries(object)) {
    const path = prefix === undefined ? key : `${prefix}.${key}`
    const isTop = prefix === undefined && ['environment', 'log_level', 'message'].includes(path)
    const name = isTop || path === 'service.name' ? `payload.${path}` : path
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (isObject && Object.keys(value).length > 0) {
      collect(value, path, into)
    } else {
      into.set(name, typeof value === 'string' ? value : JSON.stringify(value))
    }
  }
}
