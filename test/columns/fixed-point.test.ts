/** Which texts are numbers with a few decimals; that they come back exactly is in `against-plain.test.ts`. */
import t from 'tap'
import { encodeFixedPoint } from '../../src/columns/fixed-point.ts'
import { bytesOf, columnOf } from './arbitraries.ts'
import { reopen } from './reopen.ts'

t.test('numbers as they are written come back as they were, and as numbers', async t => {
  const texts = ['0.5', '-0.5', '12', '0', '-3.75', '1200.125', '-7', '0.001', '9007199254740.991']
  const encoded = encodeFixedPoint(columnOf(texts))
  t.match(encoded, { encoding: 'fixed-point', meta: [3, [-7000, 9007199254740991]] })
  const column = reopen(encoded!, texts.length)
  t.same(bytesOf(column.toTextColumn()), texts)
  t.same([...column.numbers!()], texts.map(Number))
})

t.test('a text that would come back as another one is not taken', async t => {
  const others = [
    ...[
      '1.50',
      '2.0',
      '0.0',
      '-0',
      '-0.0',
      '.5',
      '-.5',
      '5.',
      '00.5',
      '01',
      '+1.5',
      '1e3',
      '0.1e1',
    ],
    ...['', '-', '.', '1.2.3', '1.-2', '--1.5', '1,5', ' 1.5', '1.5 ', '0x1.8', 'NaN', '٣.5'],
    ...['9007199254740.992', '-9007199254740.993', '9007199254740993', '0.00000000000000001'],
  ]
  for (const text of others) {
    t.equal(encodeFixedPoint(columnOf(['1.125', text])), undefined, JSON.stringify(text))
    t.equal(encodeFixedPoint(columnOf([text, '1.125'])), undefined, JSON.stringify(text))
  }
  t.equal(encodeFixedPoint(columnOf(['1', '2'])), undefined, 'integers alone')
  t.equal(encodeFixedPoint(columnOf([])), undefined, 'no texts')
})
