/** Stages after a selector: `| json | status >= 500 and (duration > 2s or bytes > 20KB)`. */

import P from 'parsimmon'
import { limits } from '../limits.ts'
import type { MatchOperator } from '../match/condition.ts'
import type { ComparisonOperator, TextMatcher } from './ast.ts'
import { QueryFault, shortened } from './fault.ts'
import {
  address,
  addressesIn,
  bareLabel,
  here,
  keyword,
  label,
  listOf,
  operator,
  orderOperator,
  quantity,
  string,
  symbol,
  token,
  variable,
} from './grammar-tokens.ts'
import { parseJsonPath } from './json-path.ts'
import { parseLinePattern } from './line-pattern.ts'
import { logqlName } from './logql-names.ts'
import type { Leaf, Meaning, Reading } from './reading.ts'
import type { Assignment, Condition, Extraction, Stage } from './stage.ts'
import { parseTemplate, patternsOf } from './template.ts'

/** The beginning of a stage, and not of an aggregate's `| unwrap label`. */
const pipe = token(P.regexp(/\|(?![=~|>])(?!\s*unwrap(?![\p{L}\p{M}\p{N}_.:/-]|\s*[=!<>]))/u)).desc(
  'a stage',
)

const stageName = <T extends string>(word: T) => keyword(word).desc('a stage')

const matches =
  (label: Leaf, operator: MatchOperator, string: Leaf): Meaning<Condition> =>
  reading => ({
    kind: 'text',
    label: reading.text(label),
    ...reading.match(operator, string),
  })

const compares =
  (label: Leaf, operator: ComparisonOperator, number: Leaf): Meaning<Condition> =>
  reading => {
    const quantity = reading.quantity(number)
    return { kind: 'quantity', label: reading.text(label), operator, ...quantity }
  }

type Compared = (label: Leaf) => Meaning<Condition>

const hasAddress: P.Parser<Compared> = P.seqMap(
  P.alt(operator('='), operator('!=')),
  address,
  (operator, leaf) => label => reading => ({
    kind: 'address',
    label: reading.text(label),
    operator,
    value: addressesIn(leaf)(reading),
  }),
)

/** `=` and `!=` are of texts and of numbers. */
const ofEither = (form: P.Parser<'=' | '!=' | '=='>): P.Parser<Compared> =>
  P.seqMap(form, P.alt(string, quantity), (written, value) => label => {
    const isText = value.form !== 'word'
    if (isText) return matches(label, written === '!=' ? '!=' : '=', value)
    return compares(label, written === '!=' ? '!=' : '==', value)
  })

const ofNumbers: P.Parser<Compared> = P.seqMap(
  orderOperator,
  P.alt(quantity, token(variable).desc('a number')),
  (operator, number) => label => compares(label, operator, number),
)

const ofTexts: P.Parser<Compared> = P.seqMap(
  P.alt(operator('=~'), operator('!~')),
  string,
  (operator, value) => label => matches(label, operator, value),
)

const comparison: P.Parser<Meaning<Condition>> = P.seqMap(
  label,
  P.alt(
    hasAddress,
    ofEither(P.alt(operator('='), operator('!='))),
    ofEither(operator('==')),
    ofNumbers,
    ofTexts,
  ),
  (label, compared) => compared(label),
)

const tooDeep: P.Parser<never> = P((_, offset) => {
  throw new QueryFault('query_too_large', offset, `nested deeper than ${limits.queryNestingMax}`)
})

/** Of conditions with `and` or `or` between them, one of the kind; of one, that one. */
const joined =
  (kind: 'and' | 'or') =>
  (parts: readonly Meaning<Condition>[]): Meaning<Condition> =>
  reading => {
    const conditions = parts
      .map(part => part(reading))
      .flatMap(part => (part.kind === kind ? part.conditions : part))
    return conditions.length === 1 ? conditions[0]! : { kind, conditions }
  }

const negated =
  (condition: Meaning<Condition>): Meaning<Condition> =>
  reading => ({ kind: 'not', condition: condition(reading) })

/** What a `not` may precede: a label may be called `not`, too. */
const beginningOfCondition = P.lookahead(/[(\p{L}\p{M}\p{N}_.:/"'`$-]/u).desc('a label')

/** Another condition right behind one, for which `and` may be left out: its operator tells that it is one. */
const otherCondition = P.lookahead(
  new RegExp(
    [
      '(?!or(?![\\p{L}\\p{M}\\p{N}_]))(?:[(]|not(?=\\s*[(]|\\s+["\'`\\p{L}\\p{M}\\p{N}_$])',
      '(?:\\$?\\{?[\\p{L}\\p{M}\\p{N}_.:/-]+\\}?|"(?:[^"\\\\\\n]|\\\\.)*"|\'(?:[^\'\\\\\\n]|\\\\.)*\'|`[^`]*`)\\s*(?:[=<>]|![=~]))',
    ].join('|'),
    'u',
  ),
).desc('","')

/** `or` binds least, then `and`, the comma and nothing at all, then `not`. One parser per depth. */
function conditionAt(depth: number): P.Parser<Meaning<Condition>> {
  const inner = innerAt(depth)
  const and = P.alt(keyword('and'), symbol(','), otherCondition)
  return inner.sepBy1(and).map(joined('and')).sepBy1(keyword('or')).map(joined('or'))
}

function innerAt(depth: number): P.Parser<Meaning<Condition>> {
  if (depth > limits.queryNestingMax) return tooDeep
  const negation = keyword('not')
    .skip(beginningOfCondition)
    .then(P.lazy(() => innerAt(depth + 1)))
  const nested = P.lazy(() => conditionAt(depth + 1))
  return P.alt(negation.map(negated), nested.wrap(symbol('('), symbol(')')), comparison)
}

const filter: P.Parser<Meaning<Stage>> = conditionAt(0).map(condition => reading => ({
  kind: 'filter',
  condition: condition(reading),
}))

/** An aggregate's `offset 1h` may follow a parser that has no extractions. */
const noOffset = P.lookahead(/(?!offset\s+[0-9$])/).desc('a label')

/** `name="path"`, or a name that is its own path. */
const extraction = (check: (path: string) => boolean): P.Parser<Meaning<Extraction>> =>
  P.seqMap(
    noOffset.then(label),
    symbol('=').then(string).fallback(undefined),
    (label, path) => reading => {
      const name = reading.text(label)
      if (path === undefined) return { label: name, path: name }
      const text = reading.text(path)
      if (check(text)) return { label: name, path: text }
      throw refusal(path, 'a path such as a.b[0]["c d"]', text)
    },
  )

const extractions = (check: (path: string) => boolean): P.Parser<Meaning<Extraction>[]> =>
  extraction(check).sepBy(symbol(','))

const json: P.Parser<Meaning<Stage>> = stageName('json')
  .then(extractions(path => parseJsonPath(path) !== undefined))
  .map(parts => reading => ({ kind: 'json', extractions: parts.map(part => part(reading)) }))

const flag = token(P.alt(P.string('--strict'), P.string('--keep-empty')))

const logfmt: P.Parser<Meaning<Stage>> = P.seqMap(
  stageName('logfmt'),
  flag.many(),
  extractions(() => true),
  (kind, flags, parts) => reading => ({
    kind,
    extractions: parts.map(part => part(reading)),
    isStrict: flags.includes('--strict'),
    keepsEmpty: flags.includes('--keep-empty'),
  }),
)

const regexp: P.Parser<Meaning<Stage>> = P.seqMap(
  stageName('regexp'),
  string,
  (kind, leaf) => reading => {
    const text = reading.term(leaf, true)
    if (/\(\?P?<[A-Za-z_]/.test(text)) return { kind, text }
    throw refusal(leaf, 'an expression with a named group, (?P<name>…)', text)
  },
)

const pattern: P.Parser<Meaning<Stage>> = P.seqMap(
  stageName('pattern'),
  string,
  (kind, leaf) => reading => {
    const text = reading.text(leaf)
    const parsed = parseLinePattern(text)
    if (typeof parsed === 'string') throw refusal(leaf, parsed, text)
    return { kind, text }
  },
)

/** The template that a string holds. A mistake in it is reported at the string. */
function templateOf(leaf: Leaf, reading: Reading): string {
  const text = reading.text(leaf)
  const parsed = parseTemplate(text)
  if (typeof parsed === 'string') throw refusal(leaf, parsed, text)
  for (const expression of patternsOf(parsed)) reading.checkPattern(expression, leaf.offset)
  return text
}

const lineFormat: P.Parser<Meaning<Stage>> = P.seqMap(
  stageName('line_format'),
  string,
  (kind, leaf) => reading => ({ kind, text: templateOf(leaf, reading) }),
)

const assignment: P.Parser<Meaning<Assignment>> = P.seqMap(
  label.skip(symbol('=')),
  P.alt(string, bareLabel),
  (label, source) => reading => ({
    label: reading.text(label),
    ...(source.form === 'word'
      ? { from: reading.text(source) }
      : { template: templateOf(source, reading) }),
  }),
)

/** As in LogQL each label is made once, and what went wrong stays what it is. */
const labelFormat: P.Parser<Meaning<Stage>> = P.seqMap(
  stageName('label_format'),
  P.seq(here, assignment).sepBy1(symbol(',')),
  (kind, parts) => reading => {
    const made = new Set(['__error__'])
    const assignments = parts.map(([offset, part]) => {
      const assignment = part(reading)
      const name = logqlName(assignment.label)
      if (made.has(name)) throw madeTwice(offset, name)
      made.add(name)
      return assignment
    })
    return { kind, assignments }
  },
)

function madeTwice(offset: number, name: string): QueryFault {
  const isError = name === '__error__'
  const expected = isError ? 'any label but __error__' : 'a label that the stage does not make yet'
  const found = shortened(name)
  return new QueryFault('query_syntax', offset, `expected ${expected} but found "${found}"`, {
    members: { expected: [expected], found },
    remedy: isError ? '| drop __error__ takes it away' : 'put it into a | label_format of its own',
  })
}

/** A label, or one of a certain value. */
const chosenLabel: P.Parser<Meaning<string | TextMatcher>> = P.seqMap(
  label,
  P.seq(P.alt(operator('='), operator('!='), operator('=~'), operator('!~')), string).fallback(
    undefined,
  ),
  (label, condition) => reading => {
    const name = reading.text(label)
    if (condition === undefined) return name
    const [operator, value] = condition
    return { label: name, ...reading.match(operator, value) }
  },
)

const choice: P.Parser<Meaning<Stage>> = P.seqMap(
  P.alt(stageName('keep'), stageName('drop')),
  listOf(chosenLabel),
  (kind, labels) => reading => ({ kind, labels: labels.map(label => label(reading)) }),
)

/** A combination has at most as many labels as a group. */
const distinct: P.Parser<Meaning<Stage>> = P.seqMap(
  here,
  stageName('distinct'),
  listOf(label),
  (offset, kind, labels) => reading => {
    const names = new Set(labels.map(label => reading.text(label)))
    const { queryGroupLabelsMax: max } = limits
    if (names.size <= max) return { kind, labels: [...names] }
    throw new QueryFault('query_too_large', offset, `distinct of more than ${max} labels`)
  },
)

const simple: P.Parser<Meaning<Stage>> = P.alt(stageName('unpack'), stageName('decolorize')).map(
  kind => () => ({ kind }),
)

/** All stages but line filters, which need no pipe. */
export const stage: P.Parser<Meaning<Stage>> = P.seqMap(
  here,
  pipe.then(
    P.alt(json, logfmt, regexp, pattern, lineFormat, labelFormat, choice, distinct, simple, filter),
  ),
  (offset, meaning) => reading => {
    reading.take('stages', offset)
    return meaning(reading)
  },
)

function refusal(leaf: Leaf, expected: string, found: string): QueryFault {
  const what = `expected ${expected} but found ${JSON.stringify(shortened(found))}`
  return new QueryFault('query_syntax', leaf.offset, what, {
    members: { expected: [expected], found: shortened(found) },
  })
}
