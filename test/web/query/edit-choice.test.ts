import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { Selector } from '../../../src/language/ast.ts'
import { parseQuery } from '../../../src/language/grammar.ts'
import { printQuery } from '../../../src/language/print.ts'
import { type QuantityKind, readersOf } from '../../../src/language/quantity.ts'
import {
  askedLabels,
  boundsOf,
  choiceOf,
  withBounds,
  withChoice,
  withoutCondition,
} from '../../../src/web/query/edit.ts'
import { quantityText, quantityWords } from '../../../src/web/query/quantity-text.ts'
import { longRuns } from '../../long-runs.ts'
import { arbitraryStaged } from '../../query/stages/plain.ts'
import { anySelector, labels, shownPlainly } from './any-selector.ts'

t.test('one of several values is asked for where the label holds', async t => {
  const writes = (query: string, values: readonly string[], expected: string) => {
    const next = withChoice(query, 'a', values, { keepsWords: true })
    t.equal(next, expected, query)
    t.same(choiceOf(next, 'a'), values, next)
  }
  writes('logs', ['x'], 'logs{a="x"}')
  writes('logs{a="x"}', ['x', 'y'], 'logs{a in ("x", "y")}')
  writes('logs{a in ("x", "y"), b="z"}', ['y'], 'logs{b="z", a="y"}')
  writes('logs{a in ("x", "y")} |= "q"', [], 'logs |= "q"')
  writes('logs{a!="x"}', ['x', 'y'], 'logs{a in ("x", "y")}')
  writes('{} | json', ['x', 'y'], '{} | json | a="x" or a="y"')
  writes('{} | json | a="x" or a="y"', ['y'], '{} | json | a="y"')
  writes('{} | json | b > 5 and a="x"', [], '{} | json | b > 5')
  writes('logs{b="y"} or logs{c="z"}', ['x', 'y'], 'logs{b="y"} or logs{c="z"} | a="x" or a="y"')
  writes('timeout', ['x'], 'timeout a:x')
  writes('timeout a:x', ['x', 'y'], 'logs{a in ("x", "y")} | search "timeout"')
  writes('timeout a:x', [], 'timeout')
  writes('logs{a=', [], 'logs{a=')
  t.same(choiceOf('logs{a not in ("x")}', 'a'), [])
  t.same(choiceOf('logs{a=~"x|y"} | a="z" or b="z"', 'a'), [])
})

t.test('a number is compared in one way', async t => {
  const writes = (query: string, texts: readonly string[], expected: string) => {
    const bounds = texts.map((text, i) => ({ operator: i === 0 ? '>=' : '<', text }) as const)
    const next = withBounds(query, 'ms', bounds)
    t.equal(next, expected, query)
    t.same(
      boundsOf(next, 'ms').map(({ text }) => text),
      texts,
    )
  }
  writes('logs', ['20'], 'logs{ms >= 20}')
  writes('logs{ms > 5, a="x"}', ['20', '100'], 'logs{a="x", ms >= 20, ms < 100}')
  writes('logs{ms >= 20, ms < 100}', [], 'logs')
  writes('{} | json', ['1.5s'], '{} | json | ms >= 1.5s')
  writes('{} | json | ms >= 1.5s and a="x"', [], '{} | json | a="x"')
  writes('timeout', ['20'], 'logs{ms >= 20} | search "timeout"')
  // In front of what takes errors away, lines that are no JSON would be found without a sign of it.
  writes('{} | json | drop __error__', ['20'], '{} | json | drop __error__ | ms >= 20')
  writes(
    '{} | json | ms > 5 | drop a, __error__',
    ['20'],
    '{} | json | drop a, __error__ | ms >= 20',
  )
  writes(
    'logs or logs | drop __error__="x"',
    ['20'],
    'logs or logs | drop __error__="x" | ms >= 20',
  )
  writes('{} | json | drop a', ['20'], '{} | json | ms >= 20 | drop a')
  writes('{} | drop __error__', ['20'], '{ms >= 20} | drop __error__')
  const made = '{} | line_format "q"'
  t.equal(
    withBounds(made, 'message', [{ operator: '>=', text: '1' }]),
    made,
    'lines are no numbers',
  )
  t.same(askedLabels('logs{a in ("x"), b!="y", ms > 5} | c="z"'), ['a', 'ms', 'c'])
})

/** Asks of the records of an arbitrary selector, and compares with what they show. */
function fitsPlainly(
  write: (query: string, label: string, nat: number) => string,
  without: (query: string, label: string) => string,
  fits: (text: string, nat: number) => boolean,
): void {
  fc.assert(
    fc.property(
      anySelector,
      fc.array(arbitraryStaged, { minLength: 1, maxLength: 12 }),
      // A filter of lines is not taken out by the label, and comparing numbers makes errors.
      fc.constantFrom(...labels.filter(label => !['message', '__error__'].includes(label))),
      fc.nat(3),
      (tree, records, label, nat) => {
        const shown = (query: string) => {
          const selector = parseQuery(query) as Selector
          const all = records.flatMap(record => shownPlainly(selector, record) ?? [])
          // As in LogQL, comparing a number keeps records with an error.
          return all.filter(fields => !fields.has('__error__'))
        }
        const query = printQuery(tree)
        const base = without(query, label)
        const next = write(query, label, nat)
        if (next === base) return // It cannot be written, as of a line behind `unwrap`.
        const name = label.replace('user.id', 'user_id')
        const expected = shown(base).filter(fields => fits(fields.get(name) ?? '', nat))
        assert.deepEqual(shown(next), expected, `${query} becomes ${next}`)
        assert.deepEqual(shown(without(next, label)), shown(base), next)
      },
    ),
    longRuns(1_000),
  )
}

t.test('what is chosen of several values are just the records that show one', async () => {
  const lists = [
    ['1', '20'],
    ['x', 'error', ''],
    ['info', 'api'],
    ['z', '1', '-'],
  ]
  const without = (query: string, label: string) =>
    lists
      .flat()
      .reduce(
        (rest, value) => withoutCondition(rest, { label, operator: '!=', value }),
        withChoice(query, label, []),
      )
  fitsPlainly(
    (query, label, nat) => withChoice(without(query, label), label, lists[nat]!),
    without,
    (text, nat) => lists[nat]!.includes(text),
  )
})

t.test('what is compared are just the records whose number is so', async () => {
  const texts = ['1', '20', '0.5', '10KB']
  const units: readonly QuantityKind[] = ['number', 'number', 'number', 'bytes']
  const values = [1, 20, 0.5, 10_000]
  fitsPlainly(
    (query, label, nat) => withBounds(query, label, [{ operator: '>=', text: texts[nat]! }]),
    (query, label) => withBounds(query, label, []),
    (text, nat) => (readersOf[units[nat]!](text) ?? Number.NaN) >= values[nat]!,
  )
})

t.test('the language reads quantities as they are written', async t => {
  fc.assert(
    fc.property(
      fc.oneof(fc.integer(), fc.double({ min: -1e12, max: 1e12, noNaN: true })),
      fc.constantFrom('number', 'duration', 'bytes'),
      (value, unit) => {
        const size = unit === 'number' ? value : Math.abs(Math.round(value)) / 8
        const text = quantityText(size, unit)
        const query = withBounds('logs', 'a', [{ operator: '>=', text }])
        const [bound] = boundsOf(query, 'a')
        const wanted =
          unit === 'duration' ? Math.round(size * 1e9) : unit === 'bytes' ? Math.round(size) : size
        assert.equal(bound?.value, wanted + 0, query)
      },
    ),
  )
  t.equal(quantityText(1.5, 'duration'), '1500ms')
  t.equal(quantityText(20_000, 'bytes'), '20KB')
  t.equal(quantityWords(0.25, 'duration'), '250 ms')
  t.equal(quantityWords(1_234.567, 'number'), '1,235')
})
