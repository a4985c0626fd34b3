import t from 'tap'
import { KeySequence, keyText, shownKeys } from '../../../src/web/app/key-sequence.ts'

const shortcuts = ['g l', 'g d', 'l', '?', 'Mod+k']

t.test('a sequence is complete when its keys came one after another', async t => {
  const sequence = new KeySequence()
  t.equal(sequence.next('l', 0, shortcuts), 'l')
  t.equal(sequence.next('g', 100, shortcuts), undefined)
  t.equal(sequence.next('l', 200, shortcuts), 'g l')
  t.equal(sequence.next('l', 300, shortcuts), 'l')
})

t.test('a sequence that takes too long is none', async t => {
  const sequence = new KeySequence()
  sequence.next('g', 0, shortcuts)
  t.equal(sequence.next('l', 1_500, shortcuts), 'l')
})

t.test('another key in between breaks a sequence', async t => {
  const sequence = new KeySequence()
  sequence.next('g', 0, shortcuts)
  t.equal(sequence.next('x', 10, shortcuts), undefined)
  t.equal(sequence.next('d', 20, shortcuts), undefined)
  t.equal(sequence.next('?', 30, shortcuts), '?')
})

t.test('keys are named the same on every system', async t => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false }
  t.equal(keyText({ ...plain, key: '?' }, false), '?')
  t.equal(keyText({ ...plain, key: 'K', ctrlKey: true }, false), 'Mod+k')
  const shifted = { ...plain, shiftKey: true }
  t.equal(keyText({ ...shifted, key: 'Z', ctrlKey: true }, false), 'Mod+Shift+z')
  t.equal(keyText({ ...shifted, key: '?' }, false), '?')
  t.equal(keyText({ ...plain, key: 'k', metaKey: true }, true), 'Mod+k')
  t.equal(keyText({ ...plain, key: 'k', ctrlKey: true }, true), 'k')
  t.same(shownKeys('g l', false), ['g', 'l'])
  t.same(shownKeys('Mod+k', true), ['⌘K'])
  t.same(shownKeys('Mod+s', false), ['Ctrl+s'])
})
