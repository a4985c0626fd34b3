import t from 'tap'
import { parseQuery } from '../../src/language/grammar.ts'
import { limits } from '../../src/limits.ts'
import { ProblemError } from '../../src/problems.ts'

const fill = (before: string, unit: string, after = '') => {
  const room = limits.queryLengthMax - before.length - after.length
  return before + unit.repeat(Math.floor(room / unit.length)) + after
}

const contexts = [
  '',
  'logs',
  'logs{',
  'logs{a=',
  'logs{a="b",',
  'logs |= "',
  "logs |= '",
  'logs |= `',
  'count(',
  'count by (',
  'logs |~ `',
  'logs{a=~`',
  'sum(logs | unwrap ',
  'count(logs offset ',
  'topk(1,',
  '1 ^ ',
  'logs |= "$a',
  'logs |> "',
  'count(logs) / on (',
  'count(logs) / on (a) group_left (',
  'rate((logs',
  'sum_over_time({}[5m] | unwrap duration(',
]
const units = [
  '(',
  ')',
  '{',
  '[',
  '"',
  "'",
  '`',
  '\\',
  '\\\\',
  '\\u',
  '\\ud83d',
  ',',
  '=',
  '!',
  '|',
  ' ',
  '\n',
  'a',
  'a,',
  '😀',
  '\0',
  '\ud800',
  'logs',
  'logs{',
  'count(',
  'by(',
  '""',
  'a="",',
  '|=""',
  '(?:',
  '(a*)*',
  '[[:',
  '\\p{',
  'a{2}',
  '-',
  '1',
  '.',
  '0x',
  '1+',
  '1^',
  '- 1 ==bool ',
  'topk(1,',
  'sort(',
  'label_replace(',
  '<_>',
  '<_>a',
  'and count(logs) ',
  '|>"a<_>"',
  'count(logs)+',
  '1h',
  '$',
  '$a',
  `\${`,
  `\${a}`,
]

t.test('no text of the greatest length brings the parser down', async t => {
  // Whether each is refused does not matter here. That the loop ends at all within the test's time
  // limit says that none takes time out of proportion: each may take some 10 ms.
  let refusedCount = 0
  for (const context of contexts) {
    for (const unit of units) {
      try {
        parseQuery(fill(context, unit))
      } catch (error) {
        if (!(error instanceof ProblemError)) {
          t.fail(`${JSON.stringify(context + unit)}…: ${error}`)
        }
        refusedCount += 1
      }
    }
  }
  t.ok(refusedCount > 300, `${refusedCount} were refused`)
})

t.test('what is nested or repeated too often is refused where it is too much', async t => {
  const labels = Array.from({ length: 17 }, (_, i) => `l${i}`).join(',')
  for (const [query, what] of [
    [`${'sort('.repeat(100)}count(logs)${')'.repeat(100)}`, /nested deeper .* column 326/],
    [`count(logs)${' and count(logs)'.repeat(20)}`, /aggregates .* column 257/],
    [`vector(1)${' or vector(1)'.repeat(300)}`, /operators .* column 3339/],
    [`count(logs) / on (${labels}) count(logs)`, /labels to match .* column 73/],
    [`{}${' |> "a"'.repeat(1_001)}`, /line filters .* column 7007/],
  ] as const) {
    t.throws(
      () => parseQuery(query),
      { code: 'query_too_large', message: what },
      query.slice(0, 30),
    )
  }
})

t.test('a query leaves nothing behind in Object.prototype', async t => {
  // Parsimmon 1.18.1 keeps positions in an object under the text that it parses.
  for (const name of Object.getOwnPropertyNames(Object.prototype)) {
    t.equal(parseQuery(name).kind, 'selector', `reads ${name} as a word`)
    t.throws(() => parseQuery(`${name}=`), { code: 'query_syntax' }, `refuses ${name}=`)
  }
  const leftovers: string[] = []
  for (const name in {}) {
    leftovers.push(name)
  }
  t.strictSame(leftovers, [])
})

t.test('stages that would run away are refused where they stand', async t => {
  const refuses = (query: string, code: string, what: RegExp) =>
    t.throws(() => parseQuery(query), { code, message: what }, query.slice(0, 40))
  const doubling = ' | label_format a="{{.a}}{{.a}}"'
  t.doesNotThrow(() => parseQuery(`{}${doubling.repeat(18)}`), '262,144 copies')
  refuses(`{}${doubling.repeat(19)}`, 'query_too_large', /copies at line 1, column 580/)
  refuses(
    `{}${' | label_format a="{{.b}}{{.b}}", b=a'.repeat(50)}`,
    'query_too_large',
    /copies at line 1, column/,
  )
  refuses(
    `{}${' | line_format "{{__line__}} {{__line__}}"'.repeat(40)}`,
    'query_too_large',
    /copies at line 1, column/,
  )
  refuses(
    `sum_over_time({} | unwrap a${doubling.repeat(40)} [5m])`,
    'query_too_large',
    /copies at line 1, column/,
  )
  refuses(`{} | line_format "${'{{.a}}'.repeat(2_600)}`, 'query_syntax', /string is not closed/)
  refuses(`{} | line_format "${'{{.a}}'.repeat(2_800)}"`, 'query_too_large', /longer than 16384/)
  refuses(`{} | line_format "${'{{if .a}}'.repeat(500)}"`, 'query_syntax', /column 18/)
  refuses(`{} | line_format "{{${'('.repeat(500)}"`, 'query_syntax', /column 18/)
  refuses(`{}${' | json'.repeat(2_000)}`, 'query_too_large', /more than 100 stages/)
  refuses(`{}${' | a=1'.repeat(2_000)}`, 'query_too_large', /stages .* column 604/)
  refuses(`{} | ${'('.repeat(5_000)}`, 'query_too_large', /nested deeper .* column/)
  refuses(`{} | ${'not '.repeat(3_000)}a=1`, 'query_too_large', /nested deeper .* column/)
  const labels = Array.from({ length: 17 }, (_, i) => `l${i}`).join()
  refuses(`{} | distinct ${labels}`, 'query_too_large', /distinct of more than 16 .* column 6/)
})

t.test('templates that stay within bounds are taken', async t => {
  const taken = (stages: string) => t.doesNotThrow(() => parseQuery(`{} ${stages}`), stages)
  const doubling = '| label_format a="{{.a}}{{.a}}" '
  taken(`${doubling.repeat(10)}| json ${doubling.repeat(10)}`)
  taken('| label_format a="{{if .a}}{{.a}}{{end}}{{.b}}" '.repeat(60))
  taken('| label_format a="{{.a}}" '.repeat(99))
})

t.test('what Loki’s templates have besides is refused with advice', async t => {
  for (const [template, advice] of [
    ['{{ dateInZone `2006` now `UTC` }}', /without the function dateInZone .*date writes/],
    ['{{ range $q := fromJson .queries }} {{ end }}', /json|a template such as/],
    ['{{ fromJson .queries }}', /without the function fromJson .*\| json/],
    ['{{ with .a }}{{ end }}', /without the function with .*path\[0\]/],
    ['{{ nothing .a }}', /without the function nothing but/],
  ] as const) {
    t.throws(() => parseQuery(`{} | line_format "${template}"`), { message: advice }, template)
  }
})
