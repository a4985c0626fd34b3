/** Random templates of calls within calls, and what they give: each function as Go, sprig and Loki say it. */

import fc from 'fast-check'

type Value = string | number | boolean

type Node =
  | { readonly kind: 'label'; readonly name: string }
  | { readonly kind: 'line' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Node[] }

/** Texts, actions and branches. */
type Part =
  | string
  | { readonly action: Node; readonly isPiped: boolean }
  | { readonly test: Node; readonly ifTrue: string; readonly ifFalse: string }

export interface PlainTemplate {
  readonly text: string
  /** Undefined where a function cannot use what it got. Throws TooMuch. */
  render(line: string, labels: ReadonlyMap<string, string>): string | undefined
}

class Unusable extends Error {}

/** A template makes more than a test needs; bounds have tests of their own. */
export class TooMuch extends Error {}

const lengthMax = 20_000

const letters = (value: Value) => Array.from(String(value))
const spaces = (count: number) => Array.from({ length: widthOf(count) }, () => ' ').join('')

function number(value: Value): number {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number') return value
  if (!/^\s*[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?\s*$/i.test(value)) throw new Unusable()
  return Number.parseFloat(value)
}

/** Go's integers have no fraction. */
function whole(value: Value): number {
  const made = number(value)
  return made < 0 ? -Math.floor(-made) : Math.floor(made)
}

function widthOf(value: Value): number {
  const count = whole(value)
  if (count < 0) throw new Unusable()
  if (count > lengthMax) throw new TooMuch()
  return count
}

const isTrue = (value: Value) => !['', 0, false].includes(value)

function trim(s: Value, cut: Value, ends: string): string {
  const list = letters(s)
  const cuts = letters(cut)
  if (ends.includes('l')) while (list.length > 0 && cuts.includes(list[0]!)) list.shift()
  if (ends.includes('r')) while (list.length > 0 && cuts.includes(list.at(-1)!)) list.pop()
  return list.join('')
}

/** Go's strings.Replace: an empty text stands before each letter and at the end. */
function replace(s: Value, old: Value, by: Value, count: number): string {
  let left = count < 0 ? Number.POSITIVE_INFINITY : count
  let rest = letters(s)
  const wanted = letters(old)
  let made = ''
  for (;;) {
    const isHere = wanted.every((letter, i) => rest[i] === letter)
    if (isHere && left > 0) {
      made += by
      left--
      rest = rest.slice(wanted.length)
      if (wanted.length > 0) continue
    }
    if (rest.length === 0) return made
    made += rest.shift()
  }
}

/** As Go finds them: none that is empty right behind another one. */
function matches(expression: Value, s: string): RegExpExecArray[] {
  const all: RegExpExecArray[] = []
  let end = -1
  for (const found of s.matchAll(new RegExp(String(expression), 'gu'))) {
    if (found[0] === '' && found.index === end) continue
    all.push(found)
    end = found.index + found[0].length
  }
  return all
}

function replaceMatches(
  expression: Value,
  s: string,
  by: (found: RegExpExecArray) => string,
): string {
  let made = ''
  let at = 0
  for (const found of matches(expression, s)) {
    made += s.slice(at, found.index) + by(found)
    at = found.index + found[0].length
  }
  return made + s.slice(at)
}

/** `$$` is a dollar; what stands behind another one up to the end of the word is the name of a group. */
function expanded(by: string, found: RegExpExecArray): string {
  return by.replace(/\$(\$|[\p{L}\p{Nd}_]+)/gu, (_, name: string) => {
    if (name === '$') return name
    return (/^[0-9]+$/.test(name) && found[Number(name)]) || ''
  })
}

/** Zeros of a number stand between its sign and its digits. */
function padded(
  shown: string,
  { width, flag, verb }: { width: number; flag: string; verb: string },
): string {
  const missing = Math.max(0, width - letters(shown).length)
  if (flag === '-') return shown + spaces(missing)
  if (flag === '') return spaces(missing) + shown
  if (verb === 's') return '0'.repeat(missing) + shown
  return shown.replace(/^-?/, sign => sign + '0'.repeat(missing))
}

const functions: Readonly<Record<string, (...args: Value[]) => Value>> = {
  ToLower: s =>
    letters(s)
      .map(one => one.toLowerCase())
      .join(''),
  upper: s =>
    letters(s)
      .map(one => one.toUpperCase())
      .join(''),
  TrimSpace: s => trim(s, ' \n\t\r', 'lr'),
  Trim: (s, cut) => trim(s, cut!, 'lr'),
  trimAll: (cut, s) => trim(s!, cut, 'lr'),
  TrimLeft: (s, cut) => trim(s, cut!, 'l'),
  TrimRight: (s, cut) => trim(s, cut!, 'r'),
  TrimPrefix: (s, part) =>
    functions.hasPrefix!(part!, s) ? String(s).slice(String(part).length) : String(s),
  trimPrefix: (part, s) => functions.TrimPrefix!(s!, part),
  TrimSuffix: (s, part) => {
    const [all, cut] = [String(s), String(part)]
    return functions.hasSuffix!(cut, all) ? all.slice(0, all.length - cut.length) : all
  },
  trimSuffix: (part, s) => functions.TrimSuffix!(s!, part),
  Replace: (s, old, by, count) => replace(s, old!, by!, whole(count!)),
  replace: (old, by, s) => replace(s!, old, by!, -1),
  substr: (from, to, s) => {
    const [first, end, list] = [whole(from), whole(to!), letters(s!)]
    if (first < 0) return list.filter((_, i) => i < end).join('')
    return list.filter((_, i) => i >= first && (end < 0 || i < end)).join('')
  },
  trunc: (count, s) => {
    const [most, list] = [whole(count), letters(s!)]
    return list.filter((_, i) => (most < 0 ? i >= list.length + most : i < most)).join('')
  },
  repeat: (count, s) => Array.from({ length: widthOf(count) }, () => s).join(''),
  indent: (count, s) => spaces(widthOf(count)) + replace(s!, '\n', `\n${spaces(whole(count))}`, -1),
  nindent: (count, s) => `\n${functions.indent!(count, s!)}`,
  alignLeft: (count, s) => {
    if (whole(count) < 0) return String(s)
    const [width, list] = [widthOf(count), letters(s!)]
    while (list.length < width) list.push(' ')
    while (list.length > width) list.pop()
    return list.join('')
  },
  alignRight: (count, s) => {
    if (whole(count) < 0) return String(s)
    const [width, list] = [widthOf(count), letters(s!)]
    while (list.length < width) list.unshift(' ')
    while (list.length > width) list.shift()
    return list.join('')
  },
  default: (other, s) => (isTrue(s!) ? s! : other),
  contains: (part, s) => String(s).split(String(part)).length > 1 || part === '',
  hasPrefix: (part, s) => letters(part).every((letter, i) => letter === letters(s!)[i]),
  hasSuffix: (part, s) =>
    functions.hasPrefix!(letters(part).reverse().join(''), letters(s!).reverse().join('')),
  eq: (a, b) => `${a}` === `${b}`,
  ne: (a, b) => `${a}` !== `${b}`,
  and: (a, b) => (isTrue(a) ? b! : a),
  or: (a, b) => (isTrue(a) ? a : b!),
  not: a => !isTrue(a),
  len: s => new TextEncoder().encode(String(s)).length,
  print: (a, b) => `${a}${b}`,
  b64enc: s => btoa(String.fromCharCode(...new TextEncoder().encode(String(s)))),
  urlencode: s =>
    Array.from(new TextEncoder().encode(String(s)), byte => {
      const letter = String.fromCharCode(byte)
      if (/[A-Za-z0-9_.~-]/.test(letter)) return letter
      return letter === ' ' ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    }).join(''),
  int: whole,
  float64: number,
  ceil: a => -Math.floor(-number(a)),
  floor: a => Math.floor(number(a)),
  add: (a, b) => whole(a) + whole(b!),
  addf: (a, b) => number(a) + number(b!),
  sub: (a, b) => whole(a) - whole(b!),
  mul: (a, b) => whole(a) * whole(b!),
  div: (a, b) => {
    if (whole(b!) === 0) throw new Unusable()
    return whole(whole(a) / whole(b!))
  },
  mod: (a, b) => {
    if (whole(b!) === 0) throw new Unusable()
    return whole(a) % whole(b!)
  },
  max: (a, b) => (whole(a) > whole(b!) ? whole(a) : whole(b!)),
  min: (a, b) => (whole(a) < whole(b!) ? whole(a) : whole(b!)),
  count: (expression, s) => matches(expression, String(s)).length,
  regexReplaceAllLiteral: (expression, s, by) =>
    replaceMatches(expression, String(s), () => String(by)),
  regexReplaceAll: (expression, s, by) =>
    replaceMatches(expression, String(s), found => expanded(String(by), found)),
  printf: (form, a) => {
    const [, before, flag, width, verb] = /^(.*)%([-0]?)([0-9]*)([sd])$/su.exec(String(form))!
    const shown = verb === 'd' ? String(whole(a!)) : String(a)
    return before + padded(shown, { width: Number(width), flag: flag!, verb: verb! })
  },
}

function bounded(value: Value): Value {
  if (String(value).length > lengthMax) throw new TooMuch()
  return value
}

function resultOf(node: Node, line: string, labels: ReadonlyMap<string, string>): Value {
  switch (node.kind) {
    case 'label':
      return labels.get(node.name) ?? ''
    case 'line':
      return line
    case 'text':
      return node.text
    case 'number':
      return String(node.number)
    case 'call':
      return bounded(functions[node.name]!(...node.args.map(arg => resultOf(arg, line, labels))))
  }
}

function written(node: Node): string {
  switch (node.kind) {
    case 'label':
      return `.${node.name}`
    case 'line':
      return '__line__'
    case 'text':
      return JSON.stringify(node.text)
    case 'number':
      return String(node.number)
    case 'call':
      return `(${call(node)})`
  }
}

const call = (node: Node): string =>
  node.kind === 'call' ? [node.name, ...node.args.map(written)].join(' ') : written(node)

/** The last argument of a call may stand before it and a bar. */
function action(node: Node, isPiped: boolean): string {
  if (!isPiped || node.kind !== 'call') return call(node)
  const last = node.args.at(-1)!
  return `${action(last, isPiped)} | ${[node.name, ...node.args.slice(0, -1).map(written)].join(' ')}`
}

function partText(part: Part): string {
  if (typeof part === 'string') return part
  if ('action' in part) return `{{ ${action(part.action, part.isPiped)} }}`
  return `{{if ${call(part.test)}}}${part.ifTrue}{{else}}${part.ifFalse}{{end}}`
}

function templateOf(parts: readonly Part[]): PlainTemplate {
  return {
    text: parts.map(partText).join(''),
    render(line, labels) {
      try {
        const made = parts.map(part => {
          if (typeof part === 'string') return part
          if ('action' in part) return String(resultOf(part.action, line, labels))
          return isTrue(resultOf(part.test, line, labels)) ? part.ifTrue : part.ifFalse
        })
        return made.join('')
      } catch (error) {
        if (error instanceof Unusable) return undefined
        throw error
      }
    },
  }
}

const some = <T>(...values: readonly T[]) => fc.constantFrom(...values)
const textNode = some(
  '',
  ' ',
  'a',
  'x',
  'ab',
  'é',
  '😀',
  '\n',
  ' b ',
  '-',
  '"q"',
  "!'()*~",
  '$1',
).map((text): Node => ({ kind: 'text', text }))
const numberNode = some(-7, -2, -1, 0, 1, 2, 3, 5, 12).map(
  (one): Node => ({ kind: 'number', number: one }),
)
const labelNode = some('a', 'b', 'n', 'status', 'user_id', 'none').map(
  (name): Node => ({ kind: 'label', name }),
)
const expressionNode = some('', 'a*', 'x|ab', '[a-z]', '(a)|(x)', '.', '[^ ]+').map(
  (text): Node => ({ kind: 'text', text }),
)
const formNode = some('%s', '%5s', '%-5s|%3s', 'é%-4d', '%05d', '%d', '%02s')
  .filter(text => text.split('%').length === 2)
  .map((text): Node => ({ kind: 'text', text }))

/** What each function takes: a text, a number, an expression, a form. */
const takes: readonly (readonly [form: string, ...names: string[]])[] = [
  ['t', 'ToLower', 'upper', 'TrimSpace', 'not', 'len', 'b64enc', 'urlencode'],
  ['tt', 'Trim', 'trimAll', 'TrimLeft', 'TrimRight', 'TrimPrefix', 'trimPrefix', 'TrimSuffix'],
  [
    'tt',
    'trimSuffix',
    'default',
    'contains',
    'hasPrefix',
    'hasSuffix',
    'eq',
    'ne',
    'and',
    'or',
    'print',
  ],
  ['nt', 'trunc', 'repeat', 'indent', 'nindent', 'alignLeft', 'alignRight'],
  ['ttt', 'replace'],
  ['tttn', 'Replace'],
  ['nnt', 'substr'],
  ['n', 'int', 'float64', 'ceil', 'floor'],
  ['nn', 'add', 'addf', 'sub', 'mul', 'div', 'mod', 'max', 'min'],
  ['et', 'count'],
  ['ett', 'regexReplaceAll', 'regexReplaceAllLiteral'],
  ['ft', 'printf'],
]
const numeric = ['n', 'nn', 'et'].flatMap(form => takes.filter(([one]) => one === form))

const node = fc.letrec<{ t: Node; n: Node }>(tie => {
  const callOf = (list: typeof takes) =>
    some(...list.flatMap(([form, ...names]) => names.map(name => [form, name] as const))).chain(
      ([form, name]) => {
        const kinds = { t: tie('t'), n: tie('n'), e: expressionNode, f: formNode }
        const args = Array.from(form, kind => kinds[kind as keyof typeof kinds])
        return fc.tuple(...args).map((list): Node => ({ kind: 'call', name, args: list }))
      },
    )
  const line = some<Node>({ kind: 'line' })
  const depth = { depthSize: 'small', maxDepth: 3 } as const
  return {
    t: fc.oneof(depth, textNode, labelNode, labelNode, line, callOf(takes), callOf(takes)),
    n: fc.oneof(depth, numberNode, numberNode, labelNode, callOf(numeric)),
  }
}).t

const part: fc.Arbitrary<Part> = fc.oneof(
  some('', ' ', 'x=', 'é\n', '}', '{ ', '"'),
  fc.record({ action: node, isPiped: fc.boolean() }),
  fc.record({ action: node, isPiped: fc.boolean() }),
  fc.record({ test: node, ifTrue: some('', 'yes', ' 1'), ifFalse: some('no', '') }),
)

export const arbitraryTemplate: fc.Arbitrary<PlainTemplate> = fc
  .array(part, { minLength: 1, maxLength: 3 })
  .map(templateOf)
