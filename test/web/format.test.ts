import t from 'tap'
import { bytesText, compactText, countText, elapsedText, numberText } from '../../src/web/format.ts'

t.test('values are shown as people read them', async t => {
  t.equal(countText(12_408), '12,408')
  t.equal(compactText(12_408), '12.4K')
  t.equal(compactText(0.0325), '0.0325')
  t.equal(compactText(0), '0')
  t.equal(numberText(1_234.567), '1,235')
  t.equal(numberText(0.123456), '0.1235')
  t.equal(numberText(1_234_567), '1,234,567')
  t.equal(elapsedText(0.4), '< 1 ms')
  t.equal(elapsedText(38.2), '38 ms')
  t.equal(elapsedText(1_234), '1.23 s')
  t.equal(bytesText(0), '0 B')
  t.equal(bytesText(1_023), '1,023 B')
  t.equal(bytesText(1_536), '1.5 KiB')
  t.equal(bytesText(170 * 1_024), '170 KiB')
  t.equal(bytesText(3 * 1_024 ** 5), '3,072 TiB')
})
