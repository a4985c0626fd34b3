import t from 'tap'
import { soughtIn } from '../../../src/web/logs/sought.ts'

t.test('what a query looks for in messages is found where it stands', async t => {
  const f = (query: string, text: string, expected: readonly string[]) => {
    const sought = soughtIn(query)
    const found = sought === undefined ? [] : [...text.matchAll(sought)].map(([match]) => match)
    t.same(found, expected, query)
  }
  f('logs', 'all of it', [])
  f('logs{message="a"}', 'a', [])
  f('logs |= "time"', 'time out of time', ['time', 'time'])
  f('logs |= "Time"', 'time', [])
  f('logs |= "a.c"', 'abc a.c', ['a.c'])
  f('logs |= ""', 'abc', [])
  f('logs != "time"', 'time', [])
  f('logs |~ "t[io]me"', 'time tome', ['time', 'tome'])
  f('logs |~ "(?i)error"', 'Error ERROR', ['Error', 'ERROR'])
  f('logs{a="x"} |= "one" |~ "tw."', 'one two', ['one', 'two'])
  f('count by (a) (logs |= "one")', 'one', ['one'])
  f('logs |= "🚀"', 'to the 🚀', ['🚀'])
  f('timeout Error -health', 'a TIMEOUT, error, health', ['TIMEOUT', 'error'])
  f('{} |= "one" or "two" | json |= "three"', 'one two three', ['one', 'two', 'three'])
  f('logs |= "not finished', 'not finished', [])
})

t.test(
  'an expression that could take long, or that the browser does not know, marks nothing',
  async t => {
    const f = (pattern: string) =>
      t.equal(soughtIn(`logs |~ ${JSON.stringify(pattern)}`), undefined)
    f('(a+)+$')
    f('(a|aa)*b')
    f('(?:a*){9}')
    f('.*.*.*x')
    f('a{1,9}b{1,9}c{1,9}')
    f('(?P<name>a)')
    f('(')
  },
)
