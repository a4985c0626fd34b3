/**
 * The mistakes that people make who know PromQL, LogQL, SQL or nothing of the kind, and what to
 * write instead. A mistake is told by what was expected where the parse stopped, and by how the
 * text continues there.
 */

export const endOfQuery = 'end of query'

/** Where a parse stopped: the text on both sides, and what was expected there. */
export interface Stop {
  readonly before: string
  readonly rest: string
  readonly expected: readonly string[]
}

interface Mistake {
  readonly expected: string
  readonly rest: RegExp
  /** At the very beginning of the query, or only further in; both when left out. */
  readonly at?: 'begin' | 'further'
  /** What stands before it; anything when left out. */
  readonly behind?: RegExp
  readonly remedy: string
}

/** The names of all operations. */
export const operations: readonly string[] = [
  ...['count', 'rate', 'sum', 'avg', 'min', 'max', 'quantile', 'count_distinct'],
  ...['topk', 'bottomk', 'approx_topk', 'stddev', 'stdvar', 'sort', 'sort_desc', 'vector'],
  ...['label_replace', 'count_over_time'],
  ...['bytes_over_time', 'bytes_rate', 'sum_over_time', 'avg_over_time', 'min_over_time'],
  ...['max_over_time', 'quantile_over_time', 'stddev_over_time', 'stdvar_over_time'],
  ...['first_over_time', 'last_over_time', 'absent_over_time', 'rate_counter'],
]
const operationNames = operations.join('|')

const writeSelector = 'a selector begins with the word logs: logs{label="value"}'
const knownOperations = `known operations: ${operations.join(', ')}`
const knownOperators = 'known operators: + - * / % ^ == != < <= > >= and or unless'
const countRecords = 'a selector is no number: count(logs{…}) is'
const writeNumber = 'a number is written 10, 0.5, 1e3 or 0x1f'

const unwrapForms =
  'values are numbers, or read by duration(…), duration_seconds(…) or bytes(…) (count_distinct: texts)'

const groupsBehind =
  'group_left and group_right stand behind on (…) or ignoring (…): a / on (x) group_left b'

/** The first that applies is reported. */
const mistakes: readonly Mistake[] = [
  // Where an operand begins.
  { expected: 'an operation', rest: /^(logs\b|\{)/, at: 'further', remedy: countRecords },
  {
    expected: 'an operation',
    rest: new RegExp(`^(logs|${operationNames})\\b`, 'i'),
    remedy: 'write logs and the operations in lower case',
  },
  {
    expected: 'an operation',
    rest: /^group_(left|right)\b/,
    remedy: groupsBehind,
  },
  { expected: 'an operation', rest: /^\w+\s*(\(|by\b)/, remedy: knownOperations },
  { expected: 'an operation', rest: /^$/, at: 'begin', remedy: 'the shortest query is: logs' },
  {
    expected: 'an operation',
    rest: /^(\||![=~>])/,
    at: 'begin',
    remedy: 'stages and line filters stand behind a selector: logs | json',
  },
  {
    expected: 'an operation',
    rest: /^[^\d.]/,
    at: 'begin',
    remedy: 'to search for a text: logs |= "text"',
  },
  { expected: 'a number', rest: /^[\d.]/, remedy: writeNumber },
  {
    expected: '"logs"',
    rest: /^ip\s*\(/,
    remedy: 'ip(…) stands in a filter of its own, and not behind or',
  },
  // Where an aggregate takes its selector.
  {
    expected: '"logs"',
    rest: new RegExp(`^(${operationNames})\\b`),
    remedy: 'an aggregate takes a selector: count(logs{…})',
  },
  { expected: '"logs"', rest: /^logs\b/i, remedy: 'write logs in lower case' },
  { expected: '"logs"', rest: /^/, remedy: writeSelector },
  {
    expected: 'a number from 0 to 1',
    rest: /^[^-\d]/,
    remedy: 'the number comes first: quantile(0.95, logs{…} | unwrap label)',
  },
  {
    expected: 'a whole number',
    rest: /^[^-\d]/,
    remedy: 'how many comes first: topk(10, count by (label) (logs))',
  },
  // Inside a selector.
  {
    expected: '">"',
    rest: /^/,
    remedy: 'a filter is label="text" or label > 5, and of the line |= "text"',
  },
  { expected: '"="', rest: /^==/, remedy: 'equal is a single =' },
  { expected: '"="', rest: /^~/, remedy: 'to match a regular expression: =~' },
  { expected: '"="', rest: /^!/, remedy: 'unequal is != and not matching is !~' },
  { expected: '"="', rest: /^/, remedy: 'a matcher is label="value"' },
  { expected: 'a string', rest: /^[“”„‘’«»]/, remedy: 'use straight quotes: "value"' },
  { expected: 'a string', rest: /^[\p{L}\p{N}_$-]/u, remedy: 'put the value in quotes: "value"' },
  { expected: '","', rest: /^(and|&&|&)/i, remedy: 'matchers are joined by a comma' },
  {
    expected: '","',
    rest: /^(or\b|\|)/i,
    remedy: 'for alternatives use label=~"first|second", or logs{…} or logs{…}',
  },
  { expected: '","', rest: /^[\p{L}"'`]/u, remedy: 'matchers are joined by a comma' },
  // Behind a selector.
  {
    expected: '"|"',
    rest: /^\[/,
    remedy: 'name the attribute whose values are meant: sum_over_time(logs{…} | unwrap label [5m])',
  },
  {
    expected: '"|="',
    rest: /^\[/,
    remedy:
      'a range in brackets goes with rate(…) and …_over_time(…); else each point covers its step',
  },
  {
    expected: endOfQuery,
    rest: /^\|\s*unwrap\b/,
    remedy: 'unwrap goes inside an aggregate: sum(logs{…} | unwrap label)',
  },
  {
    expected: '"["',
    rest: /^\(/,
    remedy: unwrapForms,
  },
  {
    expected: '"offset"',
    rest: /^\(/,
    remedy: unwrapForms,
  },
  {
    expected: '"|"',
    rest: /^(\)|offset\b|$)/,
    remedy: 'name the attribute whose values are meant: sum(logs{…} | unwrap label)',
  },
  {
    expected: '"|="',
    rest: /^\|\s*unwrap\b/,
    remedy: 'count and rate are of records, not of values: leave | unwrap out',
  },
  { expected: '")"', rest: /^\|\s*unwrap\b/, remedy: 'unwrap one attribute' },
  { expected: '"|="', rest: /^["'`]/, remedy: 'to search for a text: |= "text"' },
  { expected: '"|="', rest: /^\|/, remedy: 'the line filters are |= != |~ !~ |> and !>' },
  { expected: '"unwrap"', rest: /^/, remedy: 'the line filters are |= != |~ !~ |> and !>' },
  { expected: '"|="', rest: /^=/, remedy: 'conditions on labels stand in braces: logs{a="b"}' },
  { expected: '"|="', rest: /^[-+*/%^<>]/, remedy: countRecords },
  { expected: '"["', rest: /^/, remedy: 'say how far back: count_over_time(logs{…}[5m])' },
  { expected: 'a duration', rest: /^-/, remedy: 'an offset only goes back in time' },
  { expected: 'a duration', rest: /^/, remedy: 'a duration is written 90s, 15m or 1h30m' },
  // Behind an operand.
  {
    expected: endOfQuery,
    rest: /^offset\b/,
    remedy: 'offset stands in the parentheses of an aggregate: count(logs offset 1h)',
  },
  { expected: endOfQuery, rest: /^by\b/, remedy: 'by (…) goes with an operation, and only once' },
  { expected: '"by"', rest: /^without\b/, remedy: 'name the labels to keep: by (…)' },
  { expected: 'an operator', rest: /^=~?/, remedy: 'equal is ==' },
  { expected: 'an operator', rest: /^group_(left|right)\b/, remedy: groupsBehind },
  {
    expected: 'an operator',
    rest: /^(and|or|unless)\b/i,
    remedy: 'write and, or and unless in lower case',
  },
  { expected: 'an operator', rest: /^[!&|]/, remedy: knownOperators },
]

/** What to write instead of what is there; undefined when it is not one of the usual mistakes. */
export function remedyFor({ before, rest, expected }: Stop): string | undefined {
  const at = before.trim() === '' ? 'begin' : 'further'
  const mistake = mistakes.find(
    one =>
      expected.includes(one.expected) &&
      (one.at === undefined || one.at === at) &&
      one.rest.test(rest) &&
      (one.behind?.test(before) ?? true),
  )
  if (mistake?.expected === '"="' && /:\s*$/.test(before)) {
    return 'a matcher is label="value", with = and not a colon'
  }
  return mistake?.remedy
}
