/**
 * The rules that join kinds of messages that differ in little. From a skeleton, which has `0` for each word
 * that varies by its form, they make a pattern: they put a `0` in the place of values, names, paths and
 * dates without digits, too, and one `0` in the place of several.
 *
 * A pattern is a function of the text alone, whatever else there is: it is the same in every block, on every
 * day, in the journal, and its id may stand in alerts. So these rules are frozen: one that changes is
 * a new version (`version` in `message-pattern.ts`), as `test/columns/patterns/golden.test.ts` holds.
 *
 * Each takes time in proportion to the text, or to its square where that is short: tokens are matched from
 * their begins only.
 */

/**
 * A replacement as of `String.replace`. A text without its sign is not changed by it: most texts have few
 * signs, and to look for one takes a tenth of the time in which a rule finds nothing.
 */
type Rule = readonly [from: RegExp, to: string, sign?: string | RegExp]

/** Begins and ends of what is no part of a longer word. */
const notAfterWord = '(?<![A-Za-z0])'
const notBeforeWord = '(?![A-Za-z0])'

const months =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|' +
  'Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)'
const weekdays =
  '(?:Mon(?:day)?|Tue(?:sday)?|Wed(?:nesday)?|Thu(?:rsday)?|Fri(?:day)?|Sat(?:urday)?|Sun(?:day)?)'
/** What may be one of them, a letter after the other. */
const monthSign = /[JFMASOND][aepuco][nbrylgptvc]/
const weekdaySign = /[MTWFS][aehoru][adeintu]/

/** Ends of names of hosts; of countries only behind two dots, since files have such ends, too. */
const domains = 'com|net|org|edu|gov|mil|info|biz|local|lan|internal|localdomain'
const countries =
  'ar|at|au|be|br|ca|ch|cn|co|cz|de|dk|es|eu|fi|fr|gr|hk|hu|id|ie|il|in|io|ir|it|jp|kr|mx|my|nl|no|nz|' +
  'pe|pt|ro|ru|se|sg|th|tr|tw|ua|uk|us|vn|za'

/** What stands behind "user" and is not its name. */
const notNames =
  'a|about|access|account|accounts|added|agent|already|an|and|are|as|at|auth|authenticated|' +
  'authentication|authorization|been|but|by|can|cannot|changed|code|command|connected|context|could|' +
  'count|created|credentials|data|defined|deleted|details|did|disconnected|does|email|error|errors|' +
  'exists|failed|failure|for|found|from|group|groups|had|has|have|id|ids|if|in|info|input|interface|' +
  'invalid|is|level|limit|list|logged|login|logout|may|missing|mode|must|name|names|no|not|of|on|or|' +
  'output|password|permissions|process|profile|removed|request|requests|role|roles|service|session|' +
  'sessions|settings|should|space|that|the|their|this|to|token|type|unknown|updated|was|were|will|with|would'
const name = '[A-Za-z0_](?:[A-Za-z0_.\\\\@$-]*[A-Za-z0_$])?'
const aName = `(?!(?:${notNames})${notBeforeWord})${name}${notBeforeWord}`

/** Several of these, whatever their number, are one. */
const joinedMarks: Rule = [/0(?:[-_.:/@#%+,*~]+0)+/g, '0']
const rowOfMarks: Rule = [/0(?:(?:, ?|; ?| \| ?| )0)+/g, '0']
/** `checkout-0-abcde`: what follows a number within a name is chance, too. */
const restOfName: Rule = [/0(?:[-_.][A-Za-z0]+)+/g, '0']

/** The members of JSON objects, and keys of `key=value`, that say what happened: these stay. */
const tellingKeys: readonly string[] = ['msg', 'message', 'event']
const tellingKey = `(?:${tellingKeys.join('|')})`

/** In other quotes than `"`: a whole value. */
const quotes: readonly Rule[] = [
  [/(?<![A-Za-z0])'[^']*'(?![A-Za-z0])/g, "'0'", "'"],
  [/`[^`]*`/g, '`0`', '`'],
  [/“[^”]*”/g, '“0”', '“'],
]

/** MAC addresses, and those of IPv6, without a digit in some of their parts. */
const addresses: readonly Rule[] = [
  [
    /(?<![A-Za-z0:])(?:0|[A-Fa-f]{2})(?:[:-](?:0|[A-Fa-f]{2})){5}(?![A-Za-z0:])/g,
    '0',
    /[:-](?:0|[A-Fa-f]{2})[:-]/,
  ],
  [
    /(?<![A-Za-z0:])(?:(?:0|[A-Fa-f]{1,4})?(?:::?(?:0|[A-Fa-f]{1,4})){2,7}|::0)(?![A-Za-z0:])/g,
    '0',
    /::0|:(?:0|[A-Fa-f]{1,4}):/,
  ],
]

const values: readonly Rule[] = [
  // Addresses on the web, of people, of files.
  [/(?<![A-Za-z0])[A-Za-z][A-Za-z0+.-]*:\/\/[^\s"'<>()[\]{},;`]+(?<![.:])/g, '0', '://'],
  [/(?<![A-Za-z0_.+-])[A-Za-z0_.+-]+@[A-Za-z0-]+(?:\.[A-Za-z0-]+)+/g, '0', '@'],
  [
    /(?<![A-Za-z0_.\-/:\])}>$])(?:~|\.{1,2})?\/[^\s"'<>()[\]{},;:=|?`/][^\s"'<>()[\]{},;:=|?`]*(?:\?[^\s"'<>()[\]{}|`]*)?(?<!\.)/g,
    '0',
    '/',
  ],
  [/(?<![A-Za-z0])[A-Za-z]:\\[^\s"'<>|]+/g, '0', ':\\'],
  [/(?<![A-Za-z0_./-])[A-Za-z0_.-]+(?:\/[A-Za-z0_.-]+){2,}\/?/g, '0', /\/[A-Za-z0_.-]+\//],
  // key=value, also without a value; key:value where nothing else stands beside it.
  [
    new RegExp(
      `(?<![A-Za-z0_])(?!${tellingKey}=)([A-Za-z0_][A-Za-z0_.-]*)=(?![=>~])` +
        '(?:"0"|\'0\'|[^\\s,;&|()[\\]{}<>"\']+|(?=[\\s,;&|)\\]}>]|$))',
      'g',
    ),
    '$1=0',
    '=',
  ],
  [
    /(?<![^\s({[,;])([a-z_][a-z0_.-]*):(?![/:])(?:"0"|'0'|[^\s,;()[\]{}<>"']+)(?=[\s,;)\]}]|$)/g,
    '$1:0',
    /:[^\s/:]/,
  ],
]

const dates: readonly Rule[] = [
  [
    new RegExp(`${notAfterWord}(?:${weekdays},? )?${months}(?:[ /-]|\\. )0${notBeforeWord}`, 'g'),
    '0',
    monthSign,
  ],
  [
    new RegExp(`${notAfterWord}(?:${weekdays},? )?0([ /-])${months}${notBeforeWord}`, 'g'),
    '0',
    monthSign,
  ],
  [new RegExp(`${notAfterWord}${weekdays},? 0${notBeforeWord}`, 'g'), '0', weekdaySign],
  [/0 ?(?:AM|PM|am|pm)(?![A-Za-z0])/g, '0'],
]

const hosts: readonly Rule[] = [
  [
    new RegExp(
      '(?<![A-Za-z0_.@/-])' +
        `(?:(?:[A-Za-z0-]+\\.)+(?:${domains})|(?:[A-Za-z0-]+\\.){2,}(?:${countries}))` +
        '(?![A-Za-z0_-]|\\.[A-Za-z0])',
      'g',
    ),
    '0',
    new RegExp(`\\.(?:${domains}|${countries})(?![A-Za-z0_-])`),
  ],
]

const userBefore = /[Uu]ser(?:name)? /

/** Names of users where they stand for sure. */
const users: readonly Rule[] = [
  [new RegExp(`${notAfterWord}([Uu]ser|[Uu]sername) ${aName}`, 'g'), '$1 0', userBefore],
  [new RegExp(`${notAfterWord}for ${aName} from (?=0)`, 'g'), 'for 0 from ', ' from 0'],
  [/(?<![A-Za-z0])by [A-Za-z0_.-]*\(uid=/g, 'by 0(uid=', '(uid='],
]

const runs: readonly Rule[] = [
  [/(?<![A-Za-z0])[-+](?=0)/g, ''],
  joinedMarks,
  restOfName,
  joinedMarks,
  rowOfMarks,
  // Lists of what looks the same.
  [
    /("0"|'0'|\{[^{}]*\}|(?<![A-Za-z_.-])[A-Za-z_.-]+=0)(?:[,;] ?\1)+/g,
    '$1',
    /["'}0][,;] ?["'{A-Za-z_.-]/,
  ],
  [
    /(?<![A-Za-z0_-])([A-Za-z_-]+[_-]0)(?:[,;]? \1)+(?![A-Za-z0_-])/g,
    '$1',
    /[_-]0[,;]? [A-Za-z_-]/,
  ],
]

const objectValues: readonly Rule[] = [
  [/(?<=[:[,] ?)(?:true|false|null)(?= ?[,\]}])/g, '0'],
  [/\[ ?\]/g, '[0]'],
]

const spaces: readonly Rule[] = [
  // Colours of a terminal.
  [/\u001b\[[0;]*[A-Za-z]?/g, '', '\u001b'],
  [/\s+/g, ' ', /[^\S ]| {2}/],
]

const ofWords: readonly Rule[] = [...dates, ...hosts, ...users, ...runs]
const ofTexts: readonly Rule[] = [...quotes, ...addresses, ...values, ...ofWords]
const ofObjects: readonly Rule[] = [...objectValues, ...ofWords]
const inQuotes: readonly Rule[] = [...quotes, ...addresses, ...values]

export const everyRule: ReadonlySet<Rule> = new Set([...spaces, ...ofTexts, ...ofObjects])

/** Without marks or any sign no rule finds anything, but for the one of users' names. */
const wordsOnly = /^[A-Za-z ]*$/

/** What a skeleton becomes, with `0` for each thing that varies. */
export function joined(skeleton: string): string {
  const text = apply(spaces, skeleton)
  if (wordsOnly.test(text) && !userBefore.test(text)) return text.trim()
  const isObject = skeleton.startsWith('{')
  return isObject
    ? apply(ofObjects, withoutMembers(text)).trim()
    : apply(ofTexts, withoutQuoted(text)).trim()
}

function apply(rules: readonly Rule[], text: string): string {
  let result = text
  for (const rule of rules) if (hasSign(rule, result)) result = result.replace(rule[0], rule[1])
  return result
}

/** Whether a rule may change a text. */
export function hasSign([, , sign]: Rule, text: string): boolean {
  if (sign === undefined) return true
  return typeof sign === 'string' ? text.includes(sign) : sign.test(text)
}

const quoted = new RegExp(`(${tellingKey}=)?"((?:[^"\\\\]|\\\\.)*)"`, 'gs')

/** Each `"…"` is one value, but for what tells what happened. */
function withoutQuoted(text: string): string {
  if (!text.includes('"')) return text
  return text.replace(quoted, (_, telling: string | undefined, inside: string) =>
    telling === undefined ? '"0"' : `${telling}"${apply(inQuotes, inside)}"`,
  )
}

/** An object whose values are `0`, but for those that tell what happened. */
function withoutMembers(text: string): string {
  let key = ''
  return text.replace(
    /"((?:[^"\\]|\\.)*)(?:"|$)( ?:)?/gs,
    (whole: string, inside: string, colon: string | undefined) => {
      const isTelling = tellingKeys.includes(key)
      key = colon === undefined ? '' : inside
      if (colon !== undefined) return whole
      return isTelling ? `"${apply(inQuotes, inside)}"` : '0'
    },
  )
}
