import v8 from 'node:v8'
import vm from 'node:vm'
import { RE2JS } from 're2js'
import t from 'tap'
import { limits } from '../../src/limits.ts'
import { compilePattern, patternRefusal } from '../../src/match/pattern.ts'
import { patternCost } from '../../src/match/pattern-cost.ts'
import { forAll } from '../for-all.ts'
import { arbitraryExpression, arbitraryFlags } from '../query/expressions.ts'

t.test('what RE2 does not have is refused in words', async t => {
  const refuses = (source: string, words: RegExp) => {
    t.throws(() => compilePattern(source, 'anywhere'), { code: 'query_regex' }, `refuses ${source}`)
    t.match(patternRefusal(source), words, 'and says what')
  }

  refuses('(a)\\1', /back-references/)
  refuses('(?P<a>x)(?P=a)', /back-references/)
  refuses('(?<a>x)\\k<a>', /back-references/)
  refuses('a(?=b)', /look-around/)
  refuses('a(?!b)', /look-around/)
  refuses('(?<=a)b', /look-around/)
  refuses('(?<!a)b', /look-around/)
  refuses('(?<=a)(?P<x>b)', /look-around/)
  refuses('(?>a)', /atomic/)
  refuses('a++', /possessive/)
  refuses('a*+', /possessive/)
  refuses('(?(1)a|b)', /conditions/)
  refuses('(?#note)', /comments/)
  refuses('(?R)', /recursion/)
  refuses('a\\Z', /\\z/)
})

t.test('a broken expression is refused', async t => {
  const refuses = (source: string) => {
    t.throws(() => compilePattern(source, 'anchored'), { code: 'query_regex' }, `refuses ${source}`)
    t.type(patternRefusal(source), 'string')
  }

  refuses('(')
  refuses('(a')
  refuses('a)')
  refuses('[a')
  refuses('[b-a]')
  refuses('*')
  refuses('a**')
  refuses('a{2}{3}')
  refuses('a\\')
  refuses('\\h')
  refuses('\\pX')
  refuses('\\p{Nonsense}')
  refuses('(?P<a>x)(?P<a>y)')
  refuses('(?x)a')
  refuses('a{1001}')
  refuses('a{3,2}')
  refuses('(a{1000}){10}')
  t.equal(patternRefusal('(?P<__proto__>x)(?P<toString>y)'), undefined, 'names are only names')
})

t.test('an expression that would be large once compiled is refused before it is', async t => {
  const refuses = (source: string) =>
    t.match(patternRefusal(source), /too large/, source.slice(0, 40))
  const takes = (source: string) => t.equal(patternRefusal(source), undefined, source.slice(0, 40))

  refuses(`(?:${'abcde'.repeat(5)}){1000}`)
  refuses(`${'a{1000}b{1000}'.repeat(15)}`)
  refuses(`((${'x'.repeat(90)}){16}){20}`)
  refuses('\\pL'.repeat(1_000))
  refuses(`[${'\\pL\\PL'.repeat(1_000)}]`)
  refuses(`[${'[:'.repeat(5_000)}`)
  refuses(`(?i)${'[B-\u{1e922}]'.repeat(20)}`) // 3 ms each: every character is looked at.
  refuses(`(?i)[${'B-\u{1e922}'.repeat(20)}]`)
  refuses(`(?i)${'[B-\\x{1E922}]'.repeat(20)}`)

  takes(Array.from({ length: 1_400 }, (_, index) => `pod-${index * 7919}`).join('|'))
  takes('[B-\u{1e922}]'.repeat(1_000))
  takes('(?i)[\\w.%+-]+@[\\w-.]+\\.[a-z]{2,24}')
  takes('(?i)[!-\\/а-я]+'.repeat(100))
  takes('\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?Z')
  takes('^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')
})

t.test('an expression nested without end does not run out of stack', async t => {
  for (const [open, close] of [
    ['(', ')'],
    ['(?:', ')'],
    ['(?:', ')*'],
    ['(?:a|', ')?'],
    ['(?P<a', '>)'],
  ] as const) {
    const depth = Math.floor(limits.queryLengthMax / (open.length + close.length))
    for (const source of [open.repeat(depth), open.repeat(depth) + close.repeat(depth)]) {
      t.doesNotThrow(() => patternRefusal(source), `${depth} times ${open}…${close}`)
    }
  }
})

t.test('the cost is never less than the size of the compiled program', async t => {
  const bounds = (source: string) => {
    const size = RE2JS.compile(source).programSize()
    if (size > patternCost(source)) {
      throw new Error(`${source} has ${size} instructions, its cost is ${patternCost(source)}`)
    }
  }
  for (const source of [
    '',
    '|',
    '()',
    '()|',
    '[]a]{9}',
    '[^]]{9}',
    '[[:alpha:]]{9}',
    '[\\]]{9}',
    '\\Qa{9}\\E{9}',
    '\\x{61}{9}',
    '\\p{Greek}{9}',
    'a(?i){9}',
    '(?:a(?i)){9}',
    '(?P<n>a){9}',
    'a{0}',
    'a{0,9}',
    'a{9,}',
    '😀{9}',
    '(?i-s:a){9}',
    '[a\\Q]\\E]{9}',
  ]) {
    try {
      bounds(source)
    } catch (error) {
      t.match(error, { name: 'RE2JSSyntaxException' }, `${source} is no expression`)
    }
  }
  forAll({ numRuns: 2000 }, arbitraryExpression, arbitraryFlags, (expression, flags) => {
    bounds(flags === '' ? expression : `(?${flags}:${expression})`)
  })
})

t.test('patterns forget states rather than fill the memory, and still answer right', async t => {
  v8.setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = vm.runInNewContext('gc')
  const heapBytes = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed
  }

  // 2^14 states each if all were kept: 7 MB. A text of random letters visits most of them.
  let seed = 1
  const letter = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return seed < 2 ** 31 ? 'a' : 'b'
  }
  const text = Array.from({ length: 30_000 }, letter).join('')
  const before = heapBytes()
  const patterns = Array.from({ length: 10 }, () => compilePattern('(a|b)*a(a|b){14}x', 'anywhere'))
  for (const pattern of patterns) {
    t.equal(pattern.matches(`${text}ax`), text.at(-14) === 'a')
    t.equal(pattern.matches(`${text}bbx`), text.at(-13) === 'a')
  }
  const keptBytes = heapBytes() - before
  t.ok(keptBytes < 20 * 1024 * 1024, `${patterns.length} patterns keep ${keptBytes} bytes`)
})
