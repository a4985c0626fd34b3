import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import {
  choiceParam,
  flagParam,
  listParam,
  type ParamKind,
  textParam,
} from '../../../src/web/state/param-kinds.ts'
import { anyCodePoint } from '../../any-code-point.ts'

function isInverse<T>(kind: ParamKind<T>, values: fc.Arbitrary<T>): void {
  fc.assert(fc.property(values, value => assert.deepEqual(kind.read(kind.print(value)), value)))
}

t.test('every value survives the address', async () => {
  isInverse(textParam('logs'), fc.string({ unit: anyCodePoint }))
  isInverse(choiceParam(['asc', 'desc']), fc.constantFrom('asc', 'desc'))
  isInverse(flagParam, fc.boolean())
  isInverse(listParam, fc.array(fc.oneof(fc.string(), fc.constantFrom('', ',', '\\', 'a,\\b'))))
})

t.test('the fallback leaves no trace in the address', async t => {
  t.equal(textParam('logs').print('logs'), undefined)
  t.equal(choiceParam(['asc', 'desc']).print('asc'), undefined)
  t.equal(flagParam.print(false), undefined)
  t.equal(listParam.print([]), undefined)
})

t.test('an address that somebody edited gives the fallback', async t => {
  t.equal(choiceParam(['asc', 'desc']).read('sideways'), 'asc')
  t.equal(flagParam.read('yes'), false)
  t.same(listParam.read('a\\'), ['a'])
})
