import t from 'tap'
import { Type } from 'typebox'
import { checkBody } from '../../src/schema/check.ts'

const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

const schema = Type.Object({
  name: Type.String({ maxLength: 3, description: 'at most 3 characters' }),
  count: Type.Optional(Type.Integer({ minimum: 1 })),
  role: Type.Optional(Type.Enum(['viewer', 'editor'])),
  'a/b~c': Type.Optional(Type.Boolean()),
  lists: Type.Optional(Type.Array(Type.Array(Type.Object({ 'the key': Type.Null() })))),
})

t.test('a body that fits is given back as it is, unknown fields and all', async t => {
  const body = JSON.parse('{"name":"a","count":1,"unknown":{},"__proto__":1}')
  t.equal(checkBody(schema, body), body)
})

t.test('a body that does not fit is refused with the path of the field', async t => {
  const refuses = (body: unknown, field: string, prefix?: string) =>
    t.throws(() => checkBody(schema, body, prefix), { code: 'field_invalid', extras: { field } })

  refuses(undefined, 'body')
  refuses(null, 'body')
  refuses([], 'body')
  refuses([], 'dashboard', 'dashboard')
  refuses({}, 'name')
  refuses({}, 'dashboard.name', 'dashboard')
  refuses({ name: 1 }, 'name')
  refuses({ name: 'a', count: 1.5 }, 'count')
  refuses({ name: 'a', count: rawJSON('12345678901234567890') }, 'count')
  refuses({ name: 'a', 'a/b~c': 1 }, '["a/b~c"]')
  refuses({ name: 'a', lists: [[], [{ 'the key': 1 }]] }, 'lists[1][0]["the key"]')
  refuses({ name: 'a', lists: [[], [{}]] }, 'lists[1][0]["the key"]')
})

t.test('a refusal says what was expected and what came', async t => {
  const says = (body: unknown, message: string) =>
    t.throws(() => checkBody(schema, body), { message })

  says({}, '"name" is missing')
  says(5, '"body" must be of type object, was 5')
  says({ name: null }, '"name" must be of type string, was null')
  says({ name: [] }, '"name" must be of type string, was an array')
  says({ name: {} }, '"name" must be of type string, was an object')
  says({ name: 'long' }, '"name" must be at most 3 characters, was "long"')
  says({ name: 'x'.repeat(65) }, `"name" must be at most 3 characters, was "${'x'.repeat(64)}…"`)
  says({ name: 'a', count: 0 }, '"count" must be >= 1, was 0')
  says(
    { name: 'a', count: rawJSON('12345678901234567890') },
    '"count" must be of type integer, was 12345678901234567890',
  )
  says({ name: 'a', role: 'root' }, '"role" must be one of "viewer", "editor", was "root"')
})

t.test('a name that is not allowed is told with what names must be', t => {
  const labels = Type.Record(Type.String({ pattern: '^[^]{1,3}$' }), Type.String(), {
    additionalProperties: false,
    description: 'an object of texts, by names of 1 to 3',
  })
  const plain = Type.Object({ a: Type.Optional(Type.String()) }, { additionalProperties: false })
  const refuses = (body: unknown, message: string, field: string) =>
    t.throws(() => checkBody(Type.Object({ labels, plain: Type.Optional(plain) }), body), {
      ...{ code: 'field_invalid', message },
      extras: { field },
    })
  const rule = '"labels" must be an object of texts, by names of 1 to 3'
  refuses({ labels: { '': '2' } }, `${rule}, had the name ""`, 'labels[""]')
  refuses({ labels: { a: '1', 'a/b~': '2' } }, `${rule}, had the name "a/b~"`, 'labels["a/b~"]')
  const known = '"plain" must have only fields that are known, had the name "b"'
  refuses({ labels: {}, plain: { b: 1 } }, known, 'plain.b')
  t.end()
})

t.test('null in an optional field is as if the field were absent, at any depth', async t => {
  const nested = Type.Object({
    name: Type.String(),
    inner: Type.Optional(Type.Object({ count: Type.Optional(Type.Integer()) })),
    list: Type.Optional(Type.Array(Type.Object({ a: Type.Optional(Type.Boolean()) }))),
    orNull: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  })
  const gives = (body: string, expected: string) =>
    t.equal(JSON.stringify(checkBody(nested, JSON.parse(body))), expected)
  gives('{"name":"a","inner":null}', '{"name":"a"}')
  gives('{"name":"a","inner":{"count":null},"x":null}', '{"name":"a","inner":{},"x":null}')
  gives('{"list":[{"a":null},{"a":true}],"name":"a"}', '{"list":[{},{"a":true}],"name":"a"}')
  gives('{"name":"a","orNull":null}', '{"name":"a","orNull":null}')
  gives('{"name":"a","__proto__":null,"inner":null}', '{"name":"a","__proto__":null}')

  const refuses = (body: unknown, field: string) =>
    t.throws(() => checkBody(nested, body), { code: 'field_invalid', extras: { field } })
  refuses({ name: null }, 'name')
  refuses({ name: 'a', inner: null, list: [null] }, 'list[0]')
  refuses({ name: 'a', inner: { count: 'x' }, list: null }, 'inner.count')
})
