import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { Query, Selector } from '../../src/language/ast.ts'
import { parseQuery } from '../../src/language/grammar.ts'
import { printQuery } from '../../src/language/print.ts'
import type { Variables } from '../../src/language/variables.ts'
import { limits } from '../../src/limits.ts'
import { ProblemError } from '../../src/problems.ts'
import { anyCodePoint } from '../any-code-point.ts'
import { forAll } from '../for-all.ts'
import { problemOf } from '../query/problem-of.ts'

t.test('a variable that is given is replaced in strings of every form', async t => {
  const variables = { a: 'A', b_2: '$a', 'x.y': '"', é: 'E', 1: 'one', __proto__x: 'p' }
  const reads = (string: string, expected: string) =>
    t.strictSame(
      (parseQuery(`logs |= ${string}`, variables) as Selector).filters[0]!.text,
      expected,
      `reads ${string}`,
    )

  reads('"$a"', 'A')
  reads("'$a'", 'A')
  reads('`$a`', 'A')
  reads('$a', 'A')
  reads(`\`\${a}\``, 'A')
  reads(`\${a}`, 'A')
  reads(`\${x.y}`, '"')
  reads('"<$a-$é>"', '<A-E>')
  reads('"$a$a"', 'AA')
  reads(`"\${a}b"`, 'Ab')
  reads('"$b_2"', '$a')
  reads('"$1"', 'one')
  reads('"\\u0024a"', 'A')
  reads(`"$$a $\${a} $$$a"`, `$a \${a} $$a`)
  reads(`"$ab \${ab} $b $ $$ \${} \${a $5"`, `$ab \${ab} $b $ $$ \${} \${a $5`)
  reads('"$$ab"', '$$ab')
  reads(`"$toString \${__proto__} $constructor"`, `$toString \${__proto__} $constructor`)
})

t.test('without variables every string means itself', async t => {
  const { filters } = parseQuery('logs |= "$a $$a" |~ "^a$"') as Selector
  t.strictSame(
    filters.map(({ text }) => text),
    ['$a $$a', '^a$'],
  )
})

t.test('a variable stands for labels, texts, expressions, numbers and durations', async t => {
  const variables = {
    label: 'a b',
    text: '"',
    pattern: 'a|b.*',
    k: ' 5 ',
    q: '0.95',
    d: '1h30m',
    n: '-2.5',
  }
  const means = (text: string, expected: string) =>
    t.strictSame(parseQuery(text, variables), parseQuery(expected), `${text} means ${expected}`)

  means('logs{$label=$text}', 'logs{"a b"="\\""}')
  means('logs{"$label"="$text"}', 'logs{"a b"="\\""}')
  means('logs{a=~$pattern,b=~"x($pattern)$"}', 'logs{a=~"a|b.*",b=~"x(a|b.*)$"}')
  means('logs |~ $pattern != $text', 'logs |~ "a|b.*" != "\\""')
  means('count by ($label, c) (logs)', 'count by ("a b", c) (logs)')
  means('count by ($label, "a b") (logs)', 'count by ("a b") (logs)')
  means('sum(logs | unwrap $label offset $d)', 'sum(logs | unwrap "a b" offset 1h30m)')
  means(`quantile($q, logs | unwrap \${label})`, 'quantile(0.95, logs | unwrap "a b")')
  means('topk($k, count by (a) (logs))', 'topk(5, count by (a) (logs))')
  means('count(logs) / $k', 'count(logs) / 5')
  means('2 ^ $n', '2 ^ (-2.5)')
  means('$n ^ 2', '(-2.5) ^ 2')
})

t.test('a variable that cannot be used is refused by its name, where it stands', async t => {
  const variables = { x: 'x y', big: 'a'.repeat(limits.queryLengthMax), half: '\ud83d', open: '(' }
  const refuses = (text: string, offset: number, name: string, code = 'query_syntax') => {
    const problem = problemOf(text, variables)
    t.strictSame([problem.code, problem.extras.position!.offset], [code, offset], text)
    t.ok(problem.message.includes(`$${name}`), `names $${name}: ${problem.message}`)
  }

  refuses('logs{a=$unknown}', 7, 'unknown')
  refuses(`logs{a=\${unknown}}`, 7, 'unknown')
  refuses('logs{a=$toString}', 7, 'toString')
  refuses('logs{$unknown="a"}', 5, 'unknown')
  refuses('count by ($unknown) (logs)', 10, 'unknown')
  refuses('topk($unknown, count(logs))', 5, 'unknown')
  refuses('1 + $unknown', 4, 'unknown')
  refuses('count(logs offset $unknown)', 18, 'unknown')
  refuses('topk($x, count(logs))', 5, 'x')
  refuses('quantile($x, logs | unwrap a)', 9, 'x')
  refuses('1 + $x', 4, 'x')
  refuses('count(logs offset $x)', 18, 'x')
  refuses('logs |= $half', 8, 'half')
  refuses('logs |= "a$half"', 8, 'half')
  refuses('logs{a=~$open}', 8, 'open', 'query_regex')
  refuses(`logs |= "(" |~ "a\${open}"`, 15, 'open', 'query_regex')
  refuses('logs |= $big |= $x', 16, 'x', 'query_too_large')
  refuses('logs |= "$big$big"', 8, 'big', 'query_too_large')
  t.doesNotThrow(() => parseQuery('logs', variables), 'variables that are not used may be anything')
})

t.test('a long list of values is cut in the refusal', async t => {
  t.ok(problemOf('1 + $x', { x: 'y'.repeat(10_000) }).message.length < 200)
})

/** A query with all that a variable can stand for, and strings with variables in them. */
const template = [
  'topk by ($a) ($k, sum by (x, $a) (logs{$a=$b, "$b"!="-$a-", c=~"(?:$p)$"}',
  '|= $b != `$b$a` |~ $p | unwrap $a offset $d)) / ($n + rate(logs{x="$$a $unknown"}))',
].join(' ')

/** The tree without what a value may change. */
function shapeOf(query: Query): unknown {
  const freed = new Set(['label', 'value', 'text', 'by', 'labels', 'unwrap', 'offsetMs', 'k'])
  return JSON.parse(JSON.stringify(query), (key, value) => (freed.has(key) ? '…' : value))
}

const hostile = fc.oneof(
  fc.string({ unit: anyCodePoint }),
  fc.constantFrom('"', "'", '`', '"}', '" or a="', '$a', '\\', ') + count(logs', '\n', '', ' | '),
  fc
    .array(fc.constantFrom('"', '`', '}', ')', '{', '$b', '$', '\\', 'logs', '=', ','))
    .map(parts => parts.join('')),
)

t.test('no value can change the structure of a query', async () => {
  const usual: Variables = { a: 'a', b: 'b', p: 'p', k: '1', n: '1', d: '1s' }
  const expected = shapeOf(parseQuery(template, usual))
  forAll({ numRuns: 500 }, hostile, hostile, (a, b) => {
    const query = parseQuery(template, { ...usual, a, b })
    assert.deepEqual(shapeOf(query), expected)
    assert.ok(printQuery(query).includes(JSON.stringify('$a $unknown')))
  })
})

t.test('a value of the wrong kind is refused, and nothing else happens', async () => {
  const usual: Variables = { a: 'a', b: 'b', p: 'p', k: '1', n: '1', d: '1s' }
  const expected = shapeOf(parseQuery(template, usual))
  forAll({ numRuns: 500 }, fc.constantFrom('p', 'k', 'n', 'd'), hostile, (name, value) => {
    fc.pre(name !== 'n' || !value.trim().startsWith('-')) // A negative number is a negation.
    try {
      assert.deepEqual(shapeOf(parseQuery(template, { ...usual, [name]: value })), expected)
    } catch (error) {
      assert.ok(error instanceof ProblemError, String(error))
      assert.ok(error.message.includes(`$${name}`), error.message)
    }
  })
})

t.test('a variable of several texts asks for each of them, as it is', async t => {
  const variables = { one: ['a.b'], several: ['a.b', 'c|d'], text: 'x|y' }
  const means = (text: string, expected: string) =>
    t.strictSame(parseQuery(text, variables), parseQuery(expected), `${text} means ${expected}`)
  const escaped = 'a\\\\.b|c\\\\|d'

  means('logs{host="$several"}', `logs{host=~"${escaped}"}`)
  means('logs{host=$several}', `logs{host=~"${escaped}"}`)
  means('logs{host!="$several"}', `logs{host!~"${escaped}"}`)
  means('logs{host=~"$several"}', `logs{host=~"${escaped}"}`)
  means('logs{host=~"n-$several"}', `logs{host=~"n-(?:${escaped})"}`)
  means('logs{host="$one"}', 'logs{host="a.b"}')
  means('logs{host=~"$one"}', 'logs{host=~"a\\\\.b"}')
  means('logs{host=~"$text"}', 'logs{host=~"x|y"}')
  means('logs{host in ("$several", "e")}', 'logs{host in ("a.b", "c|d", "e")}')
  means('logs |~ "$several"', `logs |~ "${escaped}"`)
  means('logs | host="$several"', `logs | host=~"${escaped}"`)
})

t.test('several texts are refused where one is expected', async t => {
  const variables = { several: ['a', 'b'] }
  const refuses = (text: string) => {
    const { code, message } = problemOf(text, variables)
    t.equal(code, 'query_syntax', text)
    t.match(message, 'the variable $several has 2 values')
  }
  refuses('logs |= "$several"')
  refuses('logs{host="n-$several"}')
  refuses('count by ($several) (logs)')
  refuses('topk($several, count by (host) (logs))')
})

t.test('any texts ask for just these', async () => {
  forAll(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 5 }), texts => {
    const query = parseQuery('logs{a="$several"}', { several: texts }) as Selector
    const matcher = query.matchers[0] as { operator: string; value: string }
    assert.equal(matcher.operator, '=~')
    const expression = new RegExp(`^(?:${matcher.value})$`, 'us')
    for (const text of [...texts, 'other']) {
      assert.equal(expression.test(text), texts.includes(text))
    }
  })
})
