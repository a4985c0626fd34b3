import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import {
  changed,
  redone,
  stepsMax,
  undone,
  undoStack,
} from '../../../src/web/dashboards/model/undo-stack.ts'

t.test('undo and redo go through all that was, as two plain lists do', async () => {
  const action = fc.oneof(fc.nat(), fc.constantFrom('undo' as const, 'redo' as const))
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60 }), actions => {
      let stack = undoStack(-1)
      let history = [-1]
      let at = 0
      for (const action of actions) {
        if (action === 'undo') {
          stack = undone(stack)
          at = Math.max(0, at - 1)
        } else if (action === 'redo') {
          stack = redone(stack)
          at = Math.min(history.length - 1, at + 1)
        } else if (action !== history[at]) {
          stack = changed(stack, action)
          history = [...history.slice(0, at + 1), action]
          at += 1
        }
        assert.equal(stack.present, history[at])
        assert.equal(stack.past.length, at)
        assert.equal(stack.future.length, history.length - 1 - at)
      }
    }),
  )
})

t.test('what is typed into one field is one step', async t => {
  let stack = undoStack('')
  for (const text of ['t', 'ti', 'tit']) stack = changed(stack, text, 'title')
  stack = changed(stack, 'x', 'folder')
  stack = undone(stack)
  t.equal(stack.present, 'tit')
  stack = changed(stack, 'title', 'title')
  t.equal(undone(stack).present, 'tit', 'after an undo a new step begins')
  t.equal(undone(undone(stack)).present, '')
})

t.test('the oldest steps are forgotten', async t => {
  let stack = undoStack(0)
  for (let i = 1; i <= stepsMax + 5; i++) stack = changed(stack, i)
  t.equal(stack.past.length, stepsMax)
  t.equal(stack.past[0], 5)
})
