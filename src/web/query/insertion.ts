/**
 * What taking a completion writes. A word alone seldom makes a query: a label needs its operator and
 * value, an operation its argument, and what is open must be closed. So there are several ways to write
 * each word, and the first that makes a query is taken.
 */

import { printAsked } from '../../language/print-stages.ts'
import type { CompletionContext } from './completion-context.ts'
import { mistakeIn } from './mistake.ts'
import { labelText, literal, quoted } from './strings.ts'
import { stageNames, takesLabels, tokensOf } from './tokens.ts'

export interface Insertion {
  readonly written: string
  /** Where in it the caret comes to stand. */
  readonly caret: number
  /** So many characters behind the caret stand for what is to be written, and are selected. */
  readonly selected: number
  /** What people go on typing out of habit, though it is written already: `="` behind a label. */
  readonly retyped: string
}

interface More {
  readonly after?: string
  readonly selected?: number
  readonly retyped?: string
}

function insertion(before: string, { after = '', selected = 0, retyped = '' }: More = {}) {
  return { written: before + after, caret: before.length, selected, retyped }
}

/** The attribute that an aggregate over values is made of, until another one is named. */
const placeholder = 'value'

/** What is written into the brackets of an operation: `selected` is to be written over. */
interface Argument {
  readonly before: string
  readonly selected?: string
  readonly after?: string
}

const counts = 'count by (service.name) (logs)'
const values: Argument = { before: 'logs | unwrap ', selected: placeholder }
const rangeOfValues: Argument = { ...values, after: ' [5m]' }
const rangeOfRecords: Argument = { before: 'logs', after: '[5m]' }
const argumentsOf: Readonly<Record<string, Argument>> = {
  count: { before: 'logs' },
  rate: { before: 'logs' },
  quantile: { ...values, before: `0.95, ${values.before}` },
  topk: { before: `5, ${counts}` },
  bottomk: { before: `5, ${counts}` },
  stddev_over_time: rangeOfValues,
  stdvar_over_time: rangeOfValues,
  first_over_time: rangeOfValues,
  last_over_time: rangeOfValues,
  rate_counter: rangeOfValues,
  bytes_over_time: rangeOfRecords,
  bytes_rate: rangeOfRecords,
  absent_over_time: rangeOfRecords,
  label_replace: {
    before: `${counts}, "`,
    selected: 'name',
    after: '", "$1", "service.name", "(.*)"',
  },
  sort: { before: counts },
  sort_desc: { before: counts },
  vector: { before: '', selected: '0' },
}

function argumentOf(operation: string): Required<Argument> {
  return { selected: '', after: '', ...(argumentsOf[operation] ?? values) }
}

/**
 * Which of the ways to write a word is the first that makes a query; when what stands around it cannot be a
 * query anyway, the first that can become the beginning of one. -1: none.
 */
export function fittingWay(
  query: string,
  { from, to }: Pick<CompletionContext, 'from' | 'to'>,
  ways: readonly Insertion[],
): number {
  const [before, after] = [query.slice(0, from), query.slice(to)]
  const whole = ways.findIndex(({ written }) => mistakeIn(before + written + after) === undefined)
  if (whole >= 0 || mistakeIn(query) === undefined) return whole
  return ways.findIndex(({ written }) => mistakeIn(before + written)?.isUnfinished ?? true)
}

/** The ways to write `word` at a place of a query, the shortest first. */
export function insertionsOf(
  query: string,
  context: CompletionContext,
  word: string,
): readonly Insertion[] {
  const closers = closersOf(query.slice(0, context.from))
  const rest = query.slice(context.to)
  switch (context.kind) {
    case 'label':
      return labelInsertions(query, context, textOfLabel(context, word))
    case 'operator':
      if (isText(rest)) return beforeText(query, context, word)
      if (context.isCondition && /^\s*[-+.\d]/.test(rest)) return [insertion(word)]
      return /[<>]/.test(word) ? withNumber(word, closers) : withText(word, '"', closers)
    case 'value': {
      const text = quoted(context.isPattern ? literal(word) : word)
      return [insertion(text), insertion(text, { after: closers })]
    }
    case 'filter':
      if (word === '| unwrap') return unwrapInsertions('| ', closers)
      if (word.startsWith('| ')) return stageInsertions('| ', word.slice(2), closers)
      return isText(rest) ? beforeText(query, context, word) : withText(`${word} `, ' "', closers)
    case 'stage':
      return word === 'unwrap'
        ? unwrapInsertions('', closers)
        : stageNames.includes(word)
          ? stageInsertions('', word, closers)
          : labelInsertions(query, context, textOfLabel(context, word))
    case 'start':
      return startInsertions(word, closers)
    case 'joint':
      return jointInsertions(word, context, closers)
    case 'text':
      return textInsertions(context, closers)
  }
}

const isText = (rest: string) => /^\s*["'`$]/.test(rest)

/** In front of a string; what is no expression yet must be one that surely can be read. */
function beforeText(query: string, { from, to }: CompletionContext, word: string): Insertion[] {
  const [text] = tokensOf(query.slice(to)).filter(({ kind }) => kind !== 'space')
  const wasPattern = query.slice(from, to).endsWith('~')
  const isFit = !word.endsWith('~') || wasPattern || /^[^\\()[\]{}*+?|]*$/.test(text?.text ?? '')
  return isFit ? [insertion(word)] : []
}

/** An empty string behind what is written, with the caret in it. */
function withText(before: string, retyped: string, closers: string): readonly Insertion[] {
  return ['"', `"${closers}`].map(after => insertion(`${before}"`, { after, retyped }))
}

/** A number to be written over. */
function withNumber(operator: string, closers: string): readonly Insertion[] {
  return ['0', `0${closers}`].map(after => insertion(`${operator} `, { after, selected: 1 }))
}

function labelInsertions(
  query: string,
  { from, to, isCondition }: CompletionContext,
  label: string,
): readonly Insertion[] {
  const closers = closersOf(query.slice(0, from))
  if (isCondition) {
    if (/^\s*[=!<>]/.test(query.slice(to))) return [insertion(label)]
    return ['"', `"${closers}`].map(after => insertion(`${label}="`, { after, retyped: '="' }))
  }
  if (!closers.startsWith('}')) {
    const inGrouping = groupingInsertions(query.slice(0, from), label, closers)
    return [insertion(label), insertion(label, { after: closers }), ...inGrouping]
  }
  const hasOperator = /^\s*[=!]/.test(query.slice(to))
  if (hasOperator) return [insertion(label)]
  return ['"', `"${closers}`, '", '].map(after => insertion(`${label}="`, { after, retyped: '="' }))
}

/** In a grouping that nothing follows yet: with the argument of its operation. */
function groupingInsertions(before: string, label: string, closers: string): readonly Insertion[] {
  const words = tokensOf(before).filter(({ kind }) => kind !== 'space')
  const opener = words.findLastIndex(({ text }) => text === '(')
  const operation = words[opener - 2]
  if (operation?.kind !== 'operation') return []
  const argument = argumentOf(operation.text)
  const inside = argument.before + argument.selected + argument.after
  const after = `) (${inside})${closers.slice(1)}`
  return [insertion(label, { after }), insertion(label, { after: ', ' })]
}

function unwrapInsertions(pipe: string, closers: string): readonly Insertion[] {
  const selected = placeholder.length
  return [placeholder, placeholder + closers].map(after =>
    insertion(`${pipe}unwrap `, { after, selected }),
  )
}

/** What a stage cannot do without, from which one goes on. */
const stageArguments: Readonly<Record<string, readonly [before: string, after: string]>> = {
  pattern: [' "<', 'name>"'],
  regexp: [' "(?P<name>', '.*)"'],
  line_format: [' "{{.', 'name}}"'],
  label_format: [' ', 'name="{{.value}}"'],
}

function stageInsertions(pipe: string, word: string, closers: string): readonly Insertion[] {
  if (takesLabels.includes(word)) {
    const selected = placeholder.length
    return [placeholder, placeholder + closers].map(after =>
      insertion(`${pipe}${word} `, { after, selected }),
    )
  }
  const [before, rest] = stageArguments[word] ?? ['', '']
  return [
    insertion(pipe + word),
    ...[rest, rest + closers].map(after => insertion(pipe + word + before, { after })),
  ]
}

/** In a condition, words that mean something else there stand in quotes. */
function textOfLabel({ isCondition }: CompletionContext, label: string): string {
  return isCondition ? printAsked(label) : labelText(label)
}

function startInsertions(word: string, closers: string): readonly Insertion[] {
  if (word === 'logs') {
    const { before: unwrapped, selected } = argumentOf('sum')
    const more = { after: selected + closers, selected: selected.length }
    return [
      insertion(word),
      insertion(word, { after: closers }),
      ...[unwrapped, `0.95, ${unwrapped}`].map(before => insertion(before, more)),
    ]
  }
  const { before, selected, after } = argumentOf(word)
  return [
    insertion(word),
    ...[')', `)${closers}`].map(close =>
      insertion(`${word}(${before}`, {
        after: selected + after + close,
        selected: selected.length,
      }),
    ),
  ]
}

/** Between conditions, in front of one, or between series or selectors, with what may follow. */
function jointInsertions(
  word: string,
  { isCondition }: CompletionContext,
  closers: string,
): readonly Insertion[] {
  if (isCondition) {
    const selected = placeholder.length
    return ['', closers].map(close =>
      insertion(`${word} `, { after: `${placeholder}=""${close}`, selected }),
    )
  }
  const operands = ['count(logs)', 'logs', '{}']
  return ['', closers].flatMap(after =>
    operands.map(operand => insertion(`${word} ${operand}`, { after })),
  )
}

function textInsertions(context: CompletionContext, closers: string): readonly Insertion[] {
  const { typed, form = 'query', isPattern } = context
  const before = { query: 'logs |= ', filter: '|= ', string: '' }[form]
  const text = before + quoted(isPattern ? literal(typed) : typed)
  return [insertion(text), insertion(text, { after: closers })]
}

const closers: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' }

/** What closes the brackets that are open at the end of `text`. */
function closersOf(text: string): string {
  const open: string[] = []
  for (const { kind, text: word } of tokensOf(text)) {
    if (kind !== 'bracket') continue
    const closer = closers[word]
    if (closer === undefined) open.pop()
    else open.push(closer)
  }
  return open.reverse().join('')
}
