import t from 'tap'
import { PackedNames } from '../../src/journal/packed-names.ts'

t.test('the same bytes give what was made the first time, others something new', async t => {
  const made: string[] = []
  const names = new PackedNames(bytes => made.push(bytes.toString()))
  const find = (text: string) => names.find(Buffer.from(`<<${text}>`), 2, 2 + text.length)
  t.equal(find('checkout'), 1)
  t.equal(find('search'), 2)
  t.equal(find('checkout'), 1)
  t.equal(find(''), 3)
  t.equal(find('checkou'), 4)
  t.same(made, ['checkout', 'search', '', 'checkou'])
})

t.test('names with the same hash are told apart', async t => {
  let made = 0
  const names = new PackedNames(bytes => {
    made++
    return bytes.toString()
  })
  const find = (text: string) => names.find(Buffer.from(text), 0, text.length)
  // Known pairs for FNV-1a of 32 bits.
  for (const text of [
    'costarring',
    'liquid',
    'costarring',
    'declinate',
    'macallums',
    'declinate',
  ]) {
    t.equal(find(text), text)
  }
  for (const text of ['macallums', 'liquid']) t.equal(find(text), text)
  t.equal(made, 4)
})

t.test('what was made stays when the memory that it was made from is used again', async t => {
  const bytes = Buffer.from('checkout')
  const names = new PackedNames(copy => copy)
  const kept = names.find(bytes, 0, 8)
  bytes.fill('x')
  t.equal(kept.toString(), 'checkout')
  t.equal(names.find(Buffer.from('checkout'), 0, 8), kept)
})
