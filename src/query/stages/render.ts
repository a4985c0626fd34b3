/** What a template gives for a record: Go's forms, with the functions that LogQL has. */

import type { Matcher, RE2JS } from 're2js'
import { getOrRemember } from '../../get-or-insert.ts'
import { readBytes, readDuration } from '../../language/quantity.ts'
import type { Command, Operand, Pipeline, TemplatePart } from '../../language/template.ts'
import { limits } from '../../limits.ts'
import { compileCapturing, expandGroups } from '../../match/pattern.ts'
import { beforeMatch } from '../../threads/turn.ts'
import { formatTime, Instant, parseTime } from './dates.ts'

/** What a template may ask of a record. */
export interface Rendered {
  readonly line: string
  /** Milliseconds since 1970. */
  readonly timestamp: number
  /** Empty for a label that the record does not have. */
  label(name: string): string
}

/** A function got what it cannot use, or the text became too long. */
export class RenderFailure extends Error {}

type Value = string | number | boolean | Instant

/** @throws RenderFailure. */
export function render(parts: readonly TemplatePart[], record: Rendered): string {
  let text = ''
  for (const part of parts) {
    if (part.kind === 'text') text += part.text
    else if (part.kind === 'action') text += String(resultOfAll(part.pipeline, record))
    else text += render(isTrue(resultOfAll(part.test, record)) ? part.then : part.otherwise, record)
    checkLength(text.length)
  }
  return text
}

function checkLength(length: number): void {
  if (length > limits.queryTemplateTextMax) {
    throw new RenderFailure(`the text is longer than ${limits.queryTemplateTextMax} characters`)
  }
}

function resultOfAll(pipeline: Pipeline, record: Rendered): Value {
  let value: Value | undefined
  for (const command of pipeline) value = resultOf(command, value, record)
  return value!
}

function resultOf(command: Command, piped: Value | undefined, record: Rendered): Value {
  if (command.kind !== 'call') return operandValue(command, record)
  const operands = command.operands.map(operand => operandValue(operand, record))
  if (piped !== undefined) operands.push(piped)
  if (command.name === '__line__') return record.line
  if (command.name === '__timestamp__') return new Instant(record.timestamp)
  const result = functions[command.name]!(operands)
  // What is made of it in turn would be longer still: `b64enc | b64enc | …`.
  if (typeof result === 'string' && operands.every(operand => result.length > text(operand).length))
    checkLength(result.length)
  return result
}

function operandValue(operand: Operand, record: Rendered): Value {
  if (operand.kind === 'label') return record.label(operand.name)
  if (operand.kind === 'text') return operand.text
  return resultOfAll(operand.pipeline, record)
}

const isTrue = (value: Value) => value !== '' && value !== 0 && value !== false

const text = (value: Value | undefined) => String(value)

function number(value: Value | undefined): number {
  const made = Number(value)
  if (text(value).trim() === '' || !Number.isFinite(made))
    throw new RenderFailure(`${JSON.stringify(value)} is no number`)
  return made
}

const whole = (value: Value | undefined) => Math.trunc(number(value))

/** Of operands in their order, the piped one last. */
type TemplateFunction = (operands: readonly Value[]) => Value

const functions: Readonly<Record<string, TemplateFunction>> = {
  ToLower: ([s]) => text(s).toLowerCase(),
  lower: ([s]) => text(s).toLowerCase(),
  ToUpper: ([s]) => text(s).toUpperCase(),
  upper: ([s]) => text(s).toUpperCase(),
  title: ([s]) => text(s).replaceAll(/(?<![\p{L}\p{N}_'])\p{L}/gu, letter => letter.toUpperCase()),
  TrimSpace: ([s]) => text(s).trim(),
  trim: ([s]) => text(s).trim(),
  Trim: ([s, cut]) => trimmed(text(s), text(cut), 'both'),
  trimAll: ([cut, s]) => trimmed(text(s), text(cut), 'both'),
  TrimLeft: ([s, cut]) => trimmed(text(s), text(cut), 'left'),
  TrimRight: ([s, cut]) => trimmed(text(s), text(cut), 'right'),
  TrimPrefix: ([s, prefix]) => withoutPrefix(text(s), text(prefix)),
  trimPrefix: ([prefix, s]) => withoutPrefix(text(s), text(prefix)),
  TrimSuffix: ([s, suffix]) => withoutSuffix(text(s), text(suffix)),
  trimSuffix: ([suffix, s]) => withoutSuffix(text(s), text(suffix)),
  Replace: ([s, old, by, count]) => replaced(text(s), text(old), text(by), whole(count)),
  replace: ([old, by, s]) => replaced(text(s), text(old), text(by), -1),
  substr: ([from, to, s]) => substring(text(s), whole(from), whole(to)),
  trunc: ([count, s]) => truncated(text(s), whole(count)),
  repeat: ([count, s]) => repeated(text(s), whole(count)),
  indent: ([count, s]) => indented(text(s), whole(count)),
  nindent: ([count, s]) => `\n${indented(text(s), whole(count))}`,
  alignLeft: ([count, s]) => aligned(text(s), whole(count), 'left'),
  alignRight: ([count, s]) => aligned(text(s), whole(count), 'right'),
  default: ([other, s]) => (isTrue(s!) ? s! : other!),
  contains: ([part, s]) => text(s).includes(text(part)),
  hasPrefix: ([prefix, s]) => text(s).startsWith(text(prefix)),
  hasSuffix: ([suffix, s]) => text(s).endsWith(text(suffix)),
  eq: ([a, b]) => text(a) === text(b),
  ne: ([a, b]) => text(a) !== text(b),
  lt: ([a, b]) => compared(a!, b!) < 0,
  le: ([a, b]) => compared(a!, b!) <= 0,
  gt: ([a, b]) => compared(a!, b!) > 0,
  ge: ([a, b]) => compared(a!, b!) >= 0,
  and: values => values.find(value => !isTrue(value)) ?? values.at(-1)!,
  or: values => values.find(isTrue) ?? values.at(-1)!,
  not: ([value]) => !isTrue(value!),
  len: ([s]) => Buffer.byteLength(text(s)),
  print: values => values.map(text).join(''),
  printf: ([form, ...values]) => formatted(text(form), values),
  b64enc: ([s]) => Buffer.from(text(s)).toString('base64'),
  b64dec: ([s]) => Buffer.from(text(s), 'base64').toString(),
  urlencode: ([s]) => urlEncoded(text(s)),
  urldecode: ([s]) => urlDecoded(text(s)),
  int: ([value]) => whole(value),
  float64: ([value]) => number(value),
  ceil: ([value]) => Math.ceil(number(value)),
  floor: ([value]) => Math.floor(number(value)),
  round: ([value, digits, on]) => rounded(number(value), whole(digits), number(on ?? 0.5)),
  add: values => values.map(whole).reduce((a, b) => a + b),
  addf: values => values.map(number).reduce((a, b) => a + b),
  sub: ([a, b]) => whole(a) - whole(b),
  subf: values => values.map(number).reduce((a, b) => a - b),
  mul: values => values.map(whole).reduce((a, b) => a * b),
  mulf: values => values.map(number).reduce((a, b) => a * b),
  div: ([a, b]) => quotient(whole(a), whole(b)),
  divf: values => values.map(number).reduce((a, b) => a / b),
  mod: ([a, b]) => whole(a) - whole(b) * quotient(whole(a), whole(b)),
  max: values => Math.max(...values.map(whole)),
  min: values => Math.min(...values.map(whole)),
  maxf: values => Math.max(...values.map(number)),
  minf: values => Math.min(...values.map(number)),
  duration: ([s]) => quantity(readDuration(text(s)), s) / 1e9,
  duration_seconds: ([s]) => quantity(readDuration(text(s)), s) / 1e9,
  bytes: ([s]) => quantity(readBytes(text(s)), s),
  now: () => new Instant(Date.now()),
  date: ([layout, time]) => dated(text(layout), time),
  toDate: ([layout, s]) => timeIn(text(layout), text(s), 'UTC'),
  toDateInZone: ([layout, zone, s]) => timeIn(text(layout), text(s), text(zone)),
  unixToTime: ([epoch]) => timeOfEpoch(text(epoch)),
  unixEpoch: ([time]) => Math.floor(instant(time).ms / 1000),
  unixEpochMillis: ([time]) => instant(time).ms,
  unixEpochNanos: ([time]) => nanosSinceEpoch(instant(time)),
  count: ([expression, s]) => countMatches(text(expression), text(s)),
  regexReplaceAll: ([expression, s, by]) =>
    replaceMatches(text(expression), text(s), matcher => expandGroups(text(by), matcher)),
  regexReplaceAllLiteral: ([expression, s, by]) =>
    replaceMatches(text(expression), text(s), () => text(by)),
}

function trimmed(s: string, cut: string, side: 'both' | 'left' | 'right'): string {
  const letters = [...s]
  let from = 0
  let to = letters.length
  if (side !== 'right') while (from < to && cut.includes(letters[from]!)) from++
  if (side !== 'left') while (from < to && cut.includes(letters[to - 1]!)) to--
  return letters.slice(from, to).join('')
}

const withoutPrefix = (s: string, prefix: string) =>
  s.startsWith(prefix) ? s.slice(prefix.length) : s

const withoutSuffix = (s: string, suffix: string) =>
  s.endsWith(suffix) ? s.slice(0, s.length - suffix.length) : s

/**
 * The first `count` times that `old` stands there; all of them when `count` is negative. As in Go the empty
 * text stands before each character and at the end.
 */
function replaced(s: string, old: string, by: string, count: number): string {
  const parts = old === '' ? ['', ...s, ''] : s.split(old)
  const most = count < 0 ? parts.length - 1 : Math.min(count, parts.length - 1)
  checkLength(s.length + most * by.length)
  return [parts.slice(0, most + 1).join(by), ...parts.slice(most + 1)].join(old)
}

function substring(s: string, from: number, to: number): string {
  const letters = [...s]
  if (from < 0) return letters.slice(0, Math.max(0, to)).join('')
  return letters.slice(from, to < 0 || to > letters.length ? undefined : to).join('')
}

/** That many first characters; of a negative number, the last. */
function truncated(s: string, count: number): string {
  const letters = [...s]
  return (count < 0 ? lastOf(letters, -count) : letters.slice(0, count)).join('')
}

const lastOf = <T>(all: readonly T[], count: number) => all.slice(Math.max(0, all.length - count))

function repeated(s: string, count: number): string {
  if (count < 0) throw new RenderFailure(`${count} is below 0`)
  checkLength(s.length * count)
  return s.repeat(count)
}

/** As many characters as `count`; as it is when `count` is negative. */
function aligned(s: string, count: number, side: 'left' | 'right'): string {
  if (count < 0) return s
  const letters = [...s]
  const kept = side === 'left' ? letters.slice(0, count) : lastOf(letters, count)
  return padded(kept.join(''), count, side)
}

/** Spaces on the other side, up to as many characters as `width`. */
function padded(s: string, width: number, side: 'left' | 'right'): string {
  checkLength(width)
  const spaces = ' '.repeat(Math.max(0, width - [...s].length))
  return side === 'left' ? s + spaces : spaces + s
}

function indented(s: string, count: number): string {
  if (count < 0) throw new RenderFailure(`${count} is below 0`)
  const lines = s.split('\n')
  checkLength(s.length + lines.length * count)
  return lines.map(line => ' '.repeat(count) + line).join('\n')
}

function compared(a: Value, b: Value): number {
  const [x, y] = [Number(a), Number(b)]
  const areNumbers = a !== '' && b !== '' && !Number.isNaN(x) && !Number.isNaN(y)
  if (areNumbers) return x - y
  return text(a) === text(b) ? 0 : text(a) < text(b) ? -1 : 1
}

function quotient(a: number, b: number): number {
  if (b === 0) throw new RenderFailure('a number is divided by 0')
  return Math.trunc(a / b)
}

/** Up where what is cut off is `on` or more. */
function rounded(value: number, digits: number, on: number): number {
  if (digits < 0 || digits > 15) throw new RenderFailure('a number has 0 to 15 digits')
  if (on === 0.5) return Number(value.toFixed(digits))
  const power = 10 ** digits
  const below = Math.floor(value * power)
  return (value * power - below >= on ? below + 1 : below) / power
}

function quantity(read: number | undefined, written: Value | undefined): number {
  if (read === undefined)
    throw new RenderFailure(`${JSON.stringify(written)} is no duration or size`)
  return read
}

/** A time, or what a text says that is written as `__timestamp__` is. */
function instant(time: Value | undefined): Instant {
  if (time instanceof Instant) return time
  return timeIn('2006-01-02T15:04:05Z07:00', text(time), 'UTC')
}

/** As sprig has it, a whole number is a time in seconds. */
function dated(layout: string, time: Value | undefined): string {
  const isWhole = /^-?[0-9]{1,12}$/.test(text(time))
  return formatTime(layout, isWhole ? new Instant(number(time) * 1000) : instant(time))
}

function timeIn(layout: string, s: string, zone: string): Instant {
  let time: Instant | undefined
  try {
    time = parseTime(layout, s, zone)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new RenderFailure(`${JSON.stringify(zone)} is no time zone`)
  }
  if (time !== undefined) return time
  throw new RenderFailure(`${JSON.stringify(s)} is no time as ${JSON.stringify(layout)}`)
}

/** As in Loki the unit follows from how many digits there are: days, s, ms, µs, ns. */
function timeOfEpoch(epoch: string): Instant {
  const nanosPerUnit = new Map([
    [5, 86_400_000_000_000n],
    [10, 1_000_000_000n],
    [13, 1_000_000n],
    [16, 1000n],
    [19, 1n],
  ]).get(epoch.length)
  if (nanosPerUnit === undefined || !/^[0-9]+$/.test(epoch))
    throw new RenderFailure(`${JSON.stringify(epoch)} is no time of 5, 10, 13, 16 or 19 digits`)
  const nanos = BigInt(epoch) * nanosPerUnit
  return new Instant(Number(nanos / 1_000_000n), Number(nanos % 1_000_000n))
}

const nanosSinceEpoch = ({ ms, nanos }: Instant) => String(BigInt(ms) * 1_000_000n + BigInt(nanos))

/** As Go's QueryEscape: all but letters, digits and `-_.~`. */
function urlEncoded(s: string): string {
  const escaped = (letter: string) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(s.toWellFormed())
    .replaceAll('%20', '+')
    .replaceAll(/[!'()*]/g, escaped)
}

function urlDecoded(s: string): string {
  try {
    return decodeURIComponent(s.replaceAll('+', ' '))
  } catch {
    throw new RenderFailure('the text is not encoded for a URL')
  }
}

/** Digits of a fraction that JavaScript writes. */
const fractionMax = 100

/** What `printf` replaces: flags, width, precision and letter are its groups. */
export const printfVerb = /%([-+0]*)([0-9]{0,3})(?:\.([0-9]{1,3}))?([a-zA-Z%])/g

function formatted(form: string, values: readonly Value[]): string {
  let next = 0
  const made = form.replaceAll(
    printfVerb,
    (_, flags: string, width: string, digits, letter: string) => {
      if (letter === '%') return '%'
      const value = values[next++]
      if (value === undefined) throw new RenderFailure('printf has too few values')
      const shown = shownBy(letter, value, digits)
      if (flags.includes('-')) return padded(shown, Number(width), 'left')
      const filled = padded(shown, Number(width), 'right')
      if (!flags.includes('0')) return filled
      // A sign stands before the zeros of a number.
      const isNegative = 'df'.includes(letter) && shown.startsWith('-')
      const zeros = '0'.repeat(filled.length - shown.length)
      return isNegative ? `-${zeros}${shown.slice(1)}` : zeros + shown
    },
  )
  return made
}

function shownBy(letter: string, value: Value, digits: string | undefined): string {
  switch (letter) {
    case 's':
    case 'v':
      return digits === undefined ? text(value) : truncated(text(value), Number(digits))
    case 'q':
      return JSON.stringify(text(value))
    case 'd':
      return String(whole(value))
    case 'f':
      return number(value).toFixed(Math.min(fractionMax, Number(digits ?? 6)))
    case 'x':
      return Buffer.from(text(value)).toString('hex')
    case 't':
      return String(isTrue(value))
    default:
      throw new RenderFailure(`printf does not know %${letter}`)
  }
}

/** Expressions of templates that are in use. */
const patterns = new Map<string, RE2JS>()
const patternsMax = 100

function patternOf(expression: string): RE2JS {
  return getOrRemember(patterns, expression, patternsMax, () => compileCapturing(expression))
}

/** As Go finds them: none that is empty right behind another one. */
function* matchesOf(expression: string, s: string): Generator<Matcher> {
  beforeMatch(s.length)
  const matcher = patternOf(expression).matcher(s)
  let end = -1
  while (matcher.find()) {
    beforeMatch(0)
    const isAfterOther = matcher.start() === end && matcher.end() === end
    end = matcher.end()
    if (!isAfterOther) yield matcher
  }
}

function countMatches(expression: string, s: string): number {
  let count = 0
  for (const _ of matchesOf(expression, s)) count++
  return count
}

/** `by`: what each match becomes. Throws RenderFailure when the text becomes too long. */
function replaceMatches(expression: string, s: string, by: (matcher: Matcher) => string): string {
  let made = ''
  let at = 0
  for (const matcher of matchesOf(expression, s)) {
    made += s.slice(at, matcher.start()) + by(matcher)
    at = matcher.end()
    checkLength(made.length)
  }
  return made + s.slice(at)
}
