import t from 'tap'
import { parseQuery } from '../../src/language/grammar.ts'
import { parseSelector, parseTail } from '../../src/language/tail-query.ts'
import { ProblemError } from '../../src/problems.ts'

t.test('a selector is taken, with its variables', async t => {
  t.same(parseSelector('logs', {}), parseQuery('logs'))
  t.same(parseSelector(' logs{a="$x"} |= "b" ', { x: 'c' }), parseQuery('logs{a="c"} |= "b"'))
})

t.test('what gives numbers is refused where it begins', async t => {
  const refuses = (text: string, column: number, found: string) => {
    try {
      parseSelector(text, {})
      t.fail(`takes ${text}`)
    } catch (error) {
      const { code, extras } = error as ProblemError
      t.ok(error instanceof ProblemError)
      t.match(
        { code, extras },
        {
          code: 'query_syntax',
          extras: { field: 'query', position: { line: 1, column }, members: { found } },
        },
        `refuses ${text}`,
      )
    }
  }
  refuses('count(logs)', 1, 'count')
  refuses('  topk(3, count(logs) by (a))', 3, 'topk')
  refuses('17', 1, '17')
  refuses('-count(logs)', 1, '-')
  refuses('(count(logs))', 1, '(')
})

t.test('what cannot be parsed is refused as everywhere', async t => {
  const refuses = (text: string, code: string) =>
    t.throws(() => parseSelector(text, {}), { code, extras: { position: Object } }, text)
  refuses('', 'query_syntax')
  refuses('logs{', 'query_syntax')
  refuses('logs |~ "("', 'query_regex')
})

t.test('a tail takes no distinct, and says where it stands', async t => {
  t.same(parseTail('logs | json', {}), parseQuery('logs | json'))
  const text = '{} |= "| distinct" | json | distinct a | b = 1'
  t.throws(() => parseTail(text, {}), {
    code: 'query_syntax',
    message: 'leave | distinct out',
    extras: { position: { line: 1, column: 27 }, members: { found: 'distinct' } },
  })
})
