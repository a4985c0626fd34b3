import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { type JsonNode, jsonIn } from '../../../src/web/logs/json-text.ts'

/** The JSON that a node says. */
function printed(node: JsonNode): string {
  if (!('members' in node)) return node.kind === 'text' ? JSON.stringify(node.text) : node.text
  const members = node.members.map(({ key, value }) =>
    key === undefined ? printed(value) : `${JSON.stringify(key)}:${printed(value)}`,
  )
  return node.kind === 'object' ? `{${members.join()}}` : `[${members.join()}]`
}

t.test('any JSON is told as it is written, alone and behind a text', async () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom('', 'request ', '[worker] got '), (text, before) => {
      const value: unknown = JSON.parse(text)
      const isNesting = typeof value === 'object' && value !== null
      if (!isNesting || Object.keys(value).length === 0) {
        if (before !== '[worker] got ') assert.equal(jsonIn(before + text), undefined)
        return
      }
      if (Array.isArray(value) && before === '[worker] got ') return
      const found = jsonIn(before + JSON.stringify(value, undefined, 2))
      assert.equal(found?.before, before)
      assert.equal(printed(found.node), JSON.stringify(value))
    }),
  )
})

t.test('digits, order and keys that come twice stay', async t => {
  const kept = '{"b":12345678901234567890,"2":1.0,"1":-0,"b":{"__proto__":null}}'
  t.equal(printed(jsonIn(kept)!.node), kept)
  t.equal(jsonIn('{"a":'), undefined)
  t.equal(jsonIn('took [5 ms]'), undefined)
  t.equal(jsonIn('{}'), undefined, 'nothing to unfold')
  t.equal(jsonIn('['.repeat(500) + ']'.repeat(500)), undefined, 'too deep')
})
