import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import {
  type Json,
  numberAt,
  type Path,
  printTree,
  readTree,
  valueAt,
  withValue,
} from '../../../src/web/dashboards/model/json-tree.ts'

const anyJson = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>

t.test('what is not edited keeps its text, every digit of it', async t => {
  const keeps = (text: string) => t.equal(printTree(readTree(text)), text)

  keeps('{"id":9007199254740993,"x":0.10000000000000000001,"big":1e400}')
  keeps('{"__proto__":{"a":1},"constructor":[null,true],"":"\\u0000"}')

  const edited = withValue(readTree('{"a":{"id":9007199254740993},"b":1}'), ['b'], 2)
  t.equal(printTree(edited), '{"a":{"id":9007199254740993},"b":2}')
  t.equal(numberAt(readTree('[9007199254740993]'), [0]), 2 ** 53)
})

t.test('a value that is set is there, and all beside it is the same object', async () => {
  const key = fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'constructor'), fc.nat({ max: 3 }))
  fc.assert(
    fc.property(
      anyJson,
      fc.array(key, { minLength: 1, maxLength: 4 }),
      anyJson,
      (tree, path, value) => {
        const before = printTree(tree)
        const after = withValue(tree, path, value)
        assert.equal(printTree(tree), before, 'the tree before is not touched')
        const isPastEnd = path.some((step, at) => {
          const list = valueAt(tree, path.slice(0, at))
          return typeof step === 'number' && step > (Array.isArray(list) ? list.length : 0)
        })
        if (isPastEnd) return // It lands at the end of the list.
        assert.equal(valueAt(after, path), value)
        const [first] = path
        for (const name of Object.keys(Object(tree))) {
          const step = Array.isArray(tree) ? Number(name) : name
          const isKept = Array.isArray(tree) === (typeof first === 'number')
          if (step !== first && isKept) assert.equal(valueAt(after, [step]), valueAt(tree, [step]))
        }
      },
    ),
  )
})

t.test('a value that is removed is gone; removing what is not there changes nothing', async t => {
  const tree: Json = { a: [1, 2, 3], b: { c: 1 } }
  const gives = (path: Path, expected: Json) =>
    t.same(withValue(tree, path, undefined), expected, path.join('.'))

  gives(['a', 1], { a: [1, 3], b: { c: 1 } })
  gives(['b', 'c'], { a: [1, 2, 3], b: {} })
  t.equal(withValue(tree, ['b', 'd', 'e'], undefined), tree)
  t.equal(withValue(tree, ['a', 7], undefined), tree)
})
