import { Piscina } from 'piscina'
import t from 'tap'
import { threadOptions } from '../../src/threads/options.ts'

t.test('tasks are done in the order in which they came, however many wait', async t => {
  const directory = t.testdir({ 'echo.cjs': 'module.exports = task => task' })
  const filename = `${directory}/echo.cjs`
  const pool = new Piscina({ filename, minThreads: 1, maxThreads: 1, ...threadOptions })
  t.teardown(() => pool.destroy())
  const done: number[] = []
  let next = 0
  const sendInTurn = async () => {
    while (next < 60) done.push(await pool.run(next++))
  }
  await Promise.all(Array.from({ length: 4 }, sendInTurn))
  t.same(done, Array.from(done.keys()))
})

t.test(
  'a program is imported, not required, so that its thread may be ended at any moment',
  async t => {
    const directory = t.testdir({
      'package.json': '{ "type": "module" }',
      'how.js': 'const { stack } = new Error("how")\nexport default () => stack',
    })
    const pool = new Piscina({ filename: `${directory}/how.js`, maxThreads: 1, ...threadOptions })
    t.teardown(() => pool.destroy())
    t.notMatch(await pool.run(undefined), /loadESMFromCJS/)
  },
)
