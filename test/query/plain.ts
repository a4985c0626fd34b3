/**
 * What a selector means, in the plainest code that can say it: the oracle for every faster way of
 * matching. And what to try it on: queries and records from alphabets so small that many match.
 */

import fc from 'fast-check'
import { patternOfMessage } from '../../src/columns/patterns/message-pattern.ts'
import type {
  Conditions,
  LineFilter,
  Matcher,
  QuantityMatcher,
  Search,
  Selector,
} from '../../src/language/ast.ts'
import { readersOf, readQuantity } from '../../src/language/quantity.ts'
import { compilePattern, type PatternForm } from '../../src/match/pattern.ts'
import type { LogRecord, Stream } from '../../src/record.ts'

export function matchesPlainly(selector: Selector, record: LogRecord, stream: Stream): boolean {
  const { alternatives = [] } = selector
  return [selector, ...alternatives].some(one => meets(one, record, stream))
}

function meets(conditions: Conditions, record: LogRecord, stream: Stream): boolean {
  const { matchers, filters, searches = [] } = conditions
  return (
    matchers.every(matcher => matcherHolds(matcher, askedValue(matcher, record, stream))) &&
    filters.every(filter => filterHolds(filter, record.message)) &&
    searches.every(search => searchHolds(search, record))
  )
}

function searchHolds({ text, isNegated }: Search, { message, attributes }: LogRecord): boolean {
  const texts = [message, ...attributes.filter((_, i) => i % 2 === 1)]
  return texts.some(one => one.toLowerCase().includes(text.toLowerCase())) !== isNegated
}

/** Of the pattern an attribute is asked for, but by an id. */
function askedValue(matcher: Matcher, record: LogRecord, stream: Stream): string {
  const { label } = matcher
  if (label !== 'pattern') return labelValue(label, record, stream)
  const namesId = JSON.stringify(matcher).includes('p1-')
  return namesId ? patternOfMessage(record.message).id : ownValue(label, record)
}

/** The value of any label of a record; empty when the record does not have it. */
export function labelValue(label: string, record: LogRecord, stream: Stream): string {
  switch (label) {
    case 'service.name':
      return stream.service
    case 'environment':
      return stream.environment
    case 'log_level':
      return record.level
    case 'message':
      return record.message
    case 'pattern':
      return ownValue(label, record) || patternOfMessage(record.message).id
  }
  return ownValue(label, record)
}

function ownValue(label: string, record: LogRecord): string {
  for (let i = 0; i < record.attributes.length; i += 2) {
    if (record.attributes[i] === label) {
      return record.attributes[i + 1]!
    }
  }
  return ''
}

function matcherHolds(matcher: Matcher, actual: string): boolean {
  if ('values' in matcher) {
    return matcher.values.includes(actual) === (matcher.operator === 'in')
  }
  if ('unit' in matcher) return quantityHolds(matcher, actual)
  const { operator, value } = matcher
  switch (operator) {
    case '=':
      return actual === value
    case '!=':
      return actual !== value
    case '=~':
      return matchesAlone(value, 'anchored', actual)
    case '!~':
      return !matchesAlone(value, 'anchored', actual)
  }
}

function quantityHolds({ operator, unit, value }: QuantityMatcher, text: string): boolean {
  const actual = readersOf[unit](text)
  if (actual === undefined) return false
  switch (operator) {
    case '==':
      return actual === value
    case '!=':
      return actual !== value
    case '>':
      return actual > value
    case '>=':
      return actual >= value
    case '<':
      return actual < value
    case '<=':
      return actual <= value
  }
}

/** By pattern, of this many at most: thousands of random ones would hold all texts of a long run. */
const verdicts = new Map<string, Map<string, boolean>>()
const patternsMax = 100

/**
 * Whether a text matches, by a matcher of its own: one that is used again could bring something over from the text
 * before. Records have few texts where labels are asked for, so what was found is kept.
 */
function matchesAlone(source: string, form: PatternForm, text: string): boolean {
  const key = `${form} ${source}`
  const known = verdicts.get(key) ?? new Map<string, boolean>()
  if (verdicts.size >= patternsMax) verdicts.clear()
  verdicts.set(key, known)
  const found = known.get(text) ?? compilePattern(source, form).matches(text)
  known.set(text, found)
  return found
}

/** Cut off from the left, text by text. */
function isOfShape(pattern: string, message: string): boolean {
  if (pattern === '' || message === '') return pattern === message
  let rest = message
  let isBehindAny = false
  for (const part of pattern.split(/(<_>)/).filter(part => part !== '')) {
    if (part === '<_>') {
      isBehindAny = true
      continue
    }
    const [before, ...behind] = rest.split(part)
    if (behind.length === 0 || (isBehindAny && before === '')) return false
    rest = behind.join(part)
    isBehindAny = false
  }
  return isBehindAny === (rest !== '')
}

export function filterHolds({ operator, text, others = [] }: LineFilter, message: string): boolean {
  const texts = [text, ...others]
  switch (operator) {
    case '|=':
      return texts.some(one => message.includes(one))
    case '!=':
      return !texts.some(one => message.includes(one))
    case '|~':
      return texts.some(one => matchesAlone(one, 'anywhere', message))
    case '!~':
      return !texts.some(one => matchesAlone(one, 'anywhere', message))
    case '|>':
      return texts.some(one => isOfShape(one, message))
    case '!>':
      return !texts.some(one => isOfShape(one, message))
  }
}

const services = ['api', 'api-gateway', 'würfel', 'worker']
const environments = ['prod', 'staging', 'prod/eu']
const levels = ['error', 'warn', 'info', 'debug']

/** Attributes: ordinary ones, and names that are special to JavaScript, to us, or to nobody. */
const attributeNames = [
  'user.id',
  'status',
  'path',
  'ключ',
  '',
  '__proto__',
  'pattern', // Which also says of which kind the message is.
  'log_level', // A payload's own; the record's level hides it from queries.
]

const quantities = ['0', '200', '-1', '1.5', '404', '1e3', '0s', '12ms', '200B', '1KB']

const attributeValues = [
  '',
  '0',
  '200',
  '404',
  '-1',
  '1.5',
  '20ms',
  '2KB',
  'K',
  '/a',
  '/a/b',
  'null',
  'é',
  '😀',
  'a\nb',
  'Error',
]

/** Parts of messages. Some share bytes but not characters: é is C3 A9, © is C2 A9, 😀 is F0 9F …. */
const words = [
  'error',
  'Error',
  'timeout',
  'time',
  'out',
  'user 42',
  '42',
  '7f3a9c',
  'é',
  '©',
  'Ã',
  '😀',
  '日本',
  '本',
  '"quoted"',
  'C:\\dir',
  'a.b*c',
]

const separators = [' ', '', '=', '\n', ': ']

/** Expressions of RE2: some for whole values, some for parts of messages, some that match empty. */
const expressions = [
  '',
  '.*',
  '.+',
  '(?s).*',
  'api.*',
  'error|warn',
  'err',
  '(?i)ERROR',
  '[0-9]+',
  '\\d{2,3}',
  '/a(/b)?',
  '^time',
  'out$',
  '(?m)^é',
  'time.?out',
  '\\bout\\b',
  '[^a-z]',
  '\\pL+',
  '😀|日',
  'é',
  '\\n',
  'x*',
]

/** As a literal makes it: fast-check would try objects without a prototype too. */
export const object = <T>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record(members, { noNullPrototype: true })

const some = (values: readonly string[]) => fc.constantFrom(...values)

const text = fc
  .array(fc.tuple(some(words), some(separators)), { maxLength: 5 })
  .map(parts => parts.flat().join(''))

/** A part of a text, cut between characters, so that needles begin and end inside words. */
const needle = fc
  .tuple(text, fc.nat(12), fc.integer({ min: 0, max: 8 }))
  .map(([whole, from, n]) => [...whole].slice(from, from + n).join(''))

export const arbitraryStream: fc.Arbitrary<Stream> = object({
  service: some(services),
  environment: some(environments),
})

export const arbitraryRecord: fc.Arbitrary<LogRecord> = object({
  timestamp: fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_200 }),
  level: some(levels),
  message: text,
  attributes: fc
    .uniqueArray(fc.tuple(some(attributeNames), fc.oneof(some(attributeValues), text)), {
      maxLength: 4,
      selector: ([name]) => name,
    })
    .map(attributes => attributes.flat()),
})

/** The ids of the patterns of some messages, and the begin of any. */
const arbitraryPatternMatcher: fc.Arbitrary<Matcher> = fc
  .array(text, { minLength: 1, maxLength: 3 })
  .map(messages => messages.map(message => patternOfMessage(message).id))
  .chain(ids =>
    fc.constantFrom<Matcher>(
      { label: 'pattern', operator: '=', value: ids[0]! },
      { label: 'pattern', operator: '!=', value: ids[0]! },
      { label: 'pattern', operator: '=~', value: ids.join('|') },
      { label: 'pattern', operator: '=~', value: `${ids[0]!.slice(0, 4)}.*` },
      { label: 'pattern', operator: '!~', value: ids.join('|') },
      { label: 'pattern', operator: 'in', values: ids },
      { label: 'pattern', operator: 'not in', values: ids },
    ),
  )

const arbitraryLabelMatcher: fc.Arbitrary<Matcher> = fc
  .oneof(
    fc.tuple(fc.constant('service.name'), some(services)),
    fc.tuple(fc.constant('environment'), some(environments)),
    fc.tuple(fc.constant('log_level'), some([...levels, 'Error', ''])),
    fc.tuple(fc.constant('message'), text),
    fc.tuple(some([...attributeNames, 'absent']), fc.oneof(some(attributeValues), text)),
  )
  .chain(([label, value]) =>
    fc.oneof(
      object({
        label: fc.constant(label),
        operator: fc.constantFrom('=' as const, '!=' as const),
        value: fc.constant(value),
      }),
      object({
        label: fc.constant(label),
        operator: fc.constantFrom('=~' as const, '!~' as const),
        value: some(expressions),
      }),
      object({
        label: fc.constant(label),
        operator: fc.constantFrom('in' as const, 'not in' as const),
        values: fc.array(fc.oneof(fc.constant(value), some(attributeValues)), {
          minLength: 1,
          maxLength: 3,
        }),
      }),
      fc
        .tuple(fc.constantFrom('==' as const, '!=', '>', '>=', '<', '<='), some(quantities))
        .map(([operator, text]): QuantityMatcher => {
          const { kind: unit, value } = readQuantity(text)!
          return { label, operator, text, unit, value }
        }),
    ),
  )

const arbitraryMatcher: fc.Arbitrary<Matcher> = fc.oneof(
  { weight: 9, arbitrary: arbitraryLabelMatcher },
  { weight: 1, arbitrary: arbitraryPatternMatcher },
)

const arbitrarySearch: fc.Arbitrary<Search> = object({
  text: fc.oneof(
    some([...words, 'TIME', 'É', 'k', 'USER 4', ' 4', '0', '/A', 'A.B*', '=7F3a']),
    needle,
  ),
  isNegated: fc.boolean(),
})

/** Texts with `<_>` between them, in front and behind. */
const arbitraryShape: fc.Arbitrary<string> = fc
  .tuple(
    fc.boolean(),
    fc.array(
      fc.oneof(
        some([...words, ' ', 'e']),
        needle.filter(one => one !== ''),
      ),
      { maxLength: 3 },
    ),
    fc.boolean(),
  )
  .map(([isOpen, texts, isOpenBehind]) => {
    const middle = texts.join('<_>')
    if (texts.length === 0) return isOpen ? '<_>' : ''
    return `${isOpen ? '<_>' : ''}${middle}${isOpenBehind ? '<_>' : ''}`
  })

const arbitraryFilter: fc.Arbitrary<LineFilter> = fc
  .oneof(
    fc.tuple(fc.constantFrom('|=' as const, '!=' as const), fc.oneof(needle, some(words))),
    fc.tuple(fc.constantFrom('|~' as const, '!~' as const), some(expressions)),
    fc.tuple(fc.constantFrom('|>' as const, '!>' as const), arbitraryShape),
  )
  .chain(([operator, text]) => {
    const isText = operator === '|=' || operator === '!='
    const isShape = operator === '|>' || operator === '!>'
    const others = isText ? some(words) : isShape ? arbitraryShape : some(expressions)
    return fc.oneof(
      { weight: 3, arbitrary: fc.constant({ operator, text }) },
      {
        weight: 1,
        arbitrary: fc
          .array(others, { minLength: 1, maxLength: 2 })
          .map(others => ({ operator, text, others })),
      },
    )
  })

const conditionParts = {
  matchers: fc.array(arbitraryMatcher, { maxLength: 3 }),
  filters: fc.array(arbitraryFilter, { maxLength: 2 }),
}

/** Without searches, mostly. */
const arbitraryConditions: fc.Arbitrary<Conditions> = fc.oneof(
  { weight: 3, arbitrary: object(conditionParts) },
  {
    weight: 1,
    arbitrary: object({
      ...conditionParts,
      searches: fc.array(arbitrarySearch, { minLength: 1, maxLength: 2 }),
    }),
  },
)

export const arbitrarySelector: fc.Arbitrary<Selector> = fc
  .tuple(
    arbitraryConditions,
    fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(arbitraryConditions, { minLength: 1, maxLength: 2 }) },
    ),
  )
  .map(([conditions, alternatives]) => ({
    kind: 'selector',
    ...conditions,
    ...(alternatives.length > 0 && { alternatives }),
  }))

/** Records, and the labels to group them by. */
export interface Grouping {
  readonly selector: Selector
  readonly by: readonly string[]
}

export const arbitraryGrouping: fc.Arbitrary<Grouping> = object({
  selector: arbitrarySelector,
  by: fc.oneof(
    fc.constant([]),
    fc.uniqueArray(
      some(['service.name', 'environment', 'log_level', 'message', 'absent', ...attributeNames]),
      { maxLength: 3 },
    ),
  ),
})
