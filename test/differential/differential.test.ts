import t from 'tap'
import { runDifferential } from './differential.ts'

t.test('random events and questions: every answer is the plain one, in every state', async t => {
  const report = await runDifferential(t.testdir(), { seed: 42, events: 600, questions: 15 })
  t.ok(report.questions >= 45, `${report.questions} questions, ${report.matched} records matched`)
  t.ok(report.matched > report.questions, 'most questions found something')
  t.equal(report.tailed, 200)
})
