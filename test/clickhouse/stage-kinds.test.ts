/**
 * Which stages, conditions and filters SQL answers, and of which all records that may match are fetched. Each
 * kind of the language has its row: one that is new does not compile before it is here.
 */
import t, { type Test } from 'tap'
import { parseSingle } from '../../src/language/grammar.ts'
import type { Condition, Stage } from '../../src/language/stage.ts'
import type { FilterOperator } from '../../src/match/condition.ts'
import { toldOf } from '../../src/store/clickhouse/sql/told.ts'

type Where = 'in SQL' | 'fetched'
type Forms = Readonly<Record<string, Where>>

const stages: Readonly<Record<Stage['kind'], Forms>> = {
  line: { 'json |= "x"': 'in SQL' },
  filter: { 'a = "x"': 'in SQL' },
  json: {
    json: 'in SQL',
    'json x="a.b"': 'in SQL',
    'json x="a[3].b"': 'in SQL',
    'json x="a[9]"': 'fetched',
    'json x="[\\"a/b\\"]"': 'fetched',
    'json | _x = "1"': 'fetched',
  },
  logfmt: {
    logfmt: 'in SQL',
    'logfmt x="a"': 'in SQL',
    'logfmt --strict': 'in SQL',
    'logfmt --keep-empty': 'in SQL',
    'logfmt --strict --keep-empty x="a", y': 'in SQL',
    'logfmt x="a", x="b"': 'fetched',
  },
  regexp: { 'regexp "(?P<x>[0-9]+)"': 'in SQL' },
  pattern: { 'pattern "<x> <_>"': 'in SQL' },
  unpack: { unpack: 'in SQL' },
  decolorize: { decolorize: 'in SQL' },
  line_format: {
    'line_format "{{.a}} {{ __line__ | lower }}"': 'in SQL',
    'line_format "{{ __timestamp__ }}"': 'in SQL',
    'line_format "{{ Trim .a .b }}"': 'fetched',
  },
  label_format: {
    'label_format x=a': 'in SQL',
    'label_format x="{{ .a | trunc 5 }}"': 'in SQL',
    'label_format x="{{ now }}"': 'in SQL',
    'label_format x="{{ substr .b 2 .a }}"': 'fetched',
  },
  keep: { 'keep a, b="x"': 'in SQL' },
  drop: { 'drop a, b=~"x.*"': 'in SQL', 'drop __error__': 'in SQL' },
  // Asked for are the first records behind the stages before it (`sql/firsts.ts`).
  distinct: { 'distinct x': 'fetched' },
}

const conditions: Readonly<Record<Condition['kind'], Forms>> = {
  text: { 'a != "x"': 'in SQL', 'a =~ "x.*"': 'in SQL', '__error_details__ = "x"': 'fetched' },
  address: { 'a = ip("10.0.0.0/8")': 'in SQL', 'a != ip("::1")': 'in SQL' },
  quantity: { 'a > 5': 'in SQL', 'a > 100ms': 'in SQL', 'a <= 5KiB': 'in SQL' },
  and: { 'a = "x" and b > 1h': 'in SQL' },
  or: { 'a = "x" or b != 10KB': 'in SQL' },
  not: { 'not a > 1.5s': 'in SQL' },
}

const filters: Readonly<Record<FilterOperator | 'ip', Forms>> = {
  '|=': { '|= "x" or "y"': 'in SQL' },
  '!=': { '!= "x"': 'in SQL' },
  '|~': { '|~ "x.*y"': 'in SQL' },
  '!~': { '!~ "x"': 'in SQL' },
  '|>': { '|> "<_> took <_>"': 'in SQL' },
  '!>': { '!> "<_> took <_>"': 'in SQL' },
  ip: { '|= ip("10.0.0.0/8")': 'in SQL', '!= ip("fe80::/10")': 'in SQL' },
}

const request = { kind: 'groups', by: ['x'] } as const

/** Each form's stages are of its kind, and are answered where the table says. */
function check(
  t: Test,
  table: Readonly<Record<string, Forms>>,
  queryOf: (form: string) => string,
  kindsOf: (stages: readonly Stage[]) => readonly string[],
): void {
  for (const [kind, forms] of Object.entries(table)) {
    for (const [form, where] of Object.entries(forms)) {
      const { selector } = parseSingle(queryOf(form))
      t.ok(kindsOf(selector.stages ?? []).includes(kind), `${form} is of ${kind}`)
      const isTold = toldOf(selector, request) !== undefined
      t.equal(isTold ? 'in SQL' : 'fetched', where, form)
    }
  }
}

t.test('stages', async t => {
  check(
    t,
    stages,
    form => `logs | ${form}`,
    stages => stages.map(({ kind }) => kind),
  )
})

t.test('conditions', async t => {
  check(
    t,
    conditions,
    form => `logs | json | ${form}`,
    stages => stages.flatMap(stage => (stage.kind === 'filter' ? [stage.condition.kind] : [])),
  )
})

t.test('filters of lines behind stages', async t => {
  check(
    t,
    filters,
    form => `logs | json ${form}`,
    stages =>
      stages.flatMap(stage =>
        stage.kind === 'line' ? [stage.filter.isAddress ? 'ip' : stage.filter.operator] : [],
      ),
  )
})
