import t from 'tap'
import { seed, share } from '../long-runs.ts'
import { runDifferential } from './differential.ts'

t.test('random events and questions: every answer is the plain one, in every state', async t => {
  const report = await runDifferential(t.testdir(), { seed, events: 600, questions: share(40) })
  t.ok(
    report.questions >= 3 * share(40),
    `${report.questions} questions, ${report.matched} records matched`,
  )
  t.ok(report.matched > report.questions, 'most questions found something')
  t.ok(report.tailed >= 200, `${report.tailed} records were tailed`)
})
