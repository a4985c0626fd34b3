/** What the stages that read or clean a whole line mean, in the plainest code; and lines that are odd to them. */

import fc from 'fast-check'
import type { Stage } from '../../../src/language/stage.ts'
import type { StreamRecord } from '../../segment/sealed.ts'
import { object } from '../plain.ts'

type Take = (name: string, text: string) => void

/** The named groups of the first match; empty where a group has no part in it. */
export function takeGroups(expression: string, line: string, take: Take): void {
  const found = new RegExp(expression.replaceAll('(?P<', '(?<'), 'u').exec(line)
  for (const [name, text] of Object.entries(found?.groups ?? {})) take(name, text ?? '')
}

/** Letter by letter: a capture goes up to the first place where what stands behind it in the pattern does. */
export function takeCaptures(pattern: string, line: string, take: Take): void {
  const parts = pattern.split(/(<\w+>)/).filter(part => part !== '')
  if (line === '') return
  let rest = line
  if (!/^<\w+>$/.test(parts[0]!)) {
    const text = parts.shift()!
    if (!rest.startsWith(text)) return
    rest = rest.slice(text.length)
  }
  while (parts.length > 0) {
    const name = parts.shift()!.slice(1, -1)
    const text = parts.shift()
    let captured = ''
    while (rest !== '' && !(text !== undefined && rest.startsWith(text))) {
      captured += rest[0]
      rest = rest.slice(1)
    }
    if (name !== '_') take(name, captured)
    if (text === undefined || !rest.startsWith(text)) return
    rest = rest.slice(text.length)
  }
}

/** The line that was packed; labels are only packed with one. */
export function unpackPlainly(line: string, take: Take, fail: (error: string) => void): string {
  if (line === '') return line
  let packed: unknown
  try {
    packed = JSON.parse(line)
  } catch {}
  if (typeof packed !== 'object' || packed === null || Array.isArray(packed)) {
    fail('JSONParserErr')
    return line
  }
  const texts = Object.entries(packed).filter(([, value]) => typeof value === 'string')
  const entry = texts.find(([name]) => name === '_entry')?.[1]
  if (entry === undefined) return line
  for (const [name, text] of texts) {
    if (name !== '_entry') take(name, text)
  }
  return entry.toWellFormed()
}

const isBetween = (letter: string | undefined, least: string, most: string) =>
  letter !== undefined && letter >= least && letter <= most

/** ECMA-48's control sequences go, those that have their end. */
export function decolorizePlainly(line: string): string {
  let made = ''
  for (let at = 0; at < line.length; ) {
    const isEscape = line[at] === '\u001b' && line[at + 1] === '['
    if (!isEscape && line[at] !== '\u009b') {
      made += line[at++]
      continue
    }
    let end = at + (isEscape ? 2 : 1)
    while (isBetween(line[end], '0', '?')) end++
    while (isBetween(line[end], ' ', '/')) end++
    if (isBetween(line[end], '@', '~')) at = end + 1
    else made += line[at++]
  }
  return made
}

const some = <T>(...values: readonly T[]) => fc.constantFrom(...values)
const joined = (parts: fc.Arbitrary<string>, maxLength: number) =>
  fc.array(parts, { maxLength }).map(list => list.join(''))

const packedText = some('x', '', 'é"\\', 'n=1', '\ud800!', '\u001b[1mred', 'a - b', '{"a":"in"}')
const packed = fc
  .record(
    {
      _entry: fc.oneof({ weight: 3, arbitrary: packedText }, some<unknown>(1, null)),
      a: packedText,
      b: some<unknown>('y', 7, null, { x: 'deep' }),
      status: packedText,
      'user.id': packedText,
      '1st': packedText,
      '': packedText,
    },
    { requiredKeys: [] },
  )
  .map(value => JSON.stringify(value))
const colour = some(
  ...[
    '\u001b[31m',
    '\u001b[0m',
    '\u009b1;32m',
    '\u001b[',
    '\u001b',
    '\u009b',
    '\u001b[3',
    '\u001b[>4;1m',
  ],
  ...['\u001b[38:5:1m', '\u001b[ q', '\u001b[3é', '\u001b[\u001b[1mm', 'm', '[0m', '\u001b[?25l'],
)
const word = some('a', 'b', 'x', '12', '-3', 'é', '😀', '日本', 'ab', 'error')
const mark = some(' ', '-', ' - ', '"', '=', '\n', '<', '>', '.')
const line = fc.oneof(
  joined(fc.oneof(word, mark), 8),
  packed,
  packed.map(text => text.slice(0, -1)),
  joined(fc.oneof(word, colour, colour), 6),
  some('', ' ', '[]', '"text"', '{}', ' {"_entry":"x","a":"1"} ', '{"_entry":""}'),
)

/** Records whose lines are odd to these stages, some with attributes of the names that they find. */
export const arbitraryOddLines: fc.Arbitrary<StreamRecord> = object({
  timestamp: fc.integer({ min: 0, max: 60 }),
  level: some('info', 'error'),
  message: line,
  attributes: fc
    .uniqueArray(fc.tuple(some('status', 'user.id', 'a', 'c'), some('1', 'x', 'é', '')), {
      maxLength: 2,
      selector: ([name]) => name,
    })
    .map(pairs => pairs.flat()),
  stream: object({ service: some('api', 'worker'), environment: some('prod') }),
})

/** A group of each name at most once, as RE2 wants it; none is repeated. */
const expression = fc
  .tuple(
    fc.shuffledSubarray(['a', 'b', 'status', 'user_id'], { minLength: 1, maxLength: 3 }),
    fc.infiniteStream(some('[a-z]+', '[0-9]*', 'x|ab', '', '.', '[^ ]+?', '.*')),
    fc.infiniteStream(some('', ' ', '-', '=', '.*', '\\n', 'é|')),
    some('', '^', '-?'),
    some('', '$', 'x?'),
  )
  .map(([names, inner, between, first, last]) => {
    const groups = names.map((name, i) => {
      const group = `(?P<${name}>${inner.next().value})`
      return `${group}${i === 1 ? '?' : ''}${between.next().value}`
    })
    return `${first}${groups.join('')}${last}`
  })

/** Texts between captures, many of them alike; at its ends a text or none. */
const pattern = fc
  .tuple(
    fc.shuffledSubarray(['a', 'b', 'status', 'user_id', '_', '_'], { minLength: 1, maxLength: 4 }),
    fc.infiniteStream(some(' ', '-', ' - ', '"', '<', '>', 'a', '\n', '😀', 'x')),
    some('', '', 'a', ' ', '<'),
    some('', '', '-', 'x', ' '),
  )
  .map(([names, between, first, last]) => {
    const wanted = names.every(name => name === '_') ? ['c', ...names] : names
    const texts = wanted.map((name, i) => `${i === 0 ? first : between.next().value}<${name}>`)
    return texts.join('') + last
  })

export const arbitraryLineStage: fc.Arbitrary<Stage> = fc.oneof(
  expression.map((text): Stage => ({ kind: 'regexp', text })),
  pattern.map((text): Stage => ({ kind: 'pattern', text })),
  some<Stage>({ kind: 'unpack' }),
  some<Stage>({ kind: 'decolorize' }),
)
