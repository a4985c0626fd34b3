import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { Selector } from '../../../src/language/ast.ts'
import { parseQuery } from '../../../src/language/grammar.ts'
import type { Stage } from '../../../src/language/stage.ts'
import { Predicate } from '../../../src/query/predicate.ts'
import { forAll } from '../../for-all.ts'
import { longRuns } from '../../long-runs.ts'
import { makeParts, type Part } from '../parts.ts'
import { arbitraryStage, throughPlainly } from './plain.ts'
import { arbitraryLineStage, arbitraryOddLines } from './plain-lines.ts'
import { arbitraryTemplate, type PlainTemplate, TooMuch } from './plain-template.ts'

const allRecords: Selector = { kind: 'selector', matchers: [], filters: [], names: 'logql' }
const hidden = ['service_name', 'environment', 'detected_level', '__error_details__']

/** The model of other parsers knows only lines that were made for them. */
const stageBut = (...kinds: Stage['kind'][]) =>
  arbitraryStage.filter(({ kind }) => !kinds.includes(kind))

/** Records as they are shown: the line, and all labels but those that each record has. */
function shown(line: string, labels: Iterable<readonly [string, string]>): string {
  const pairs = [...labels].filter(([name, value]) => value !== '' && !hidden.includes(name))
  return JSON.stringify([line, ...pairs.map(pair => pair.join('=')).sort()])
}

function throughColumns(stages: readonly Stage[], { columns }: Part): string[] {
  const predicate = new Predicate({ ...allRecords, stages })
  const selected =
    predicate.select(columns, 0, 100, { isStagedNext: true })?.slice() ?? new Uint8Array()
  const staged = predicate.staged(columns, selected)
  return [...selected].flatMap((isSelected, row) => {
    if (isSelected === 0) return []
    const { message, attributes } = staged.record(row)
    const names = attributes.filter((_, i) => i % 2 === 0)
    const pairs = names.map((name, i) => {
      return [name.replace(/\W/g, '_'), attributes[2 * i + 1]!] as const
    })
    return shown(message, pairs)
  })
}

/** Of batches, of blocks, and of both in one answer. */
function holdsOf(
  parts: readonly Part[],
  stages: readonly Stage[],
  templates?: ReadonlyMap<string, PlainTemplate>,
): void {
  const found = parts.flatMap(part => throughColumns(stages, part))
  const expected = parts
    .flatMap(({ records }) => records)
    .flatMap(record => throughPlainly(stages, record, templates) ?? [])
    .map(({ line, labels }) => shown(line, labels))
  // Only what differs: all of it would hide it.
  const counts = (all: string[]) =>
    new Map(
      Object.entries(Object.groupBy(all, one => one)).map(([one, list]) => [one, list!.length]),
    )
  const [made, wanted] = [counts(found), counts(expected)]
  const differing = (a: Map<string, number>, b: Map<string, number>) =>
    [...a].filter(([one, count]) => b.get(one) !== count)
  assert.deepEqual(differing(made, wanted), differing(wanted, made))
}

t.test('regexp, pattern, unpack and decolorize are as the plainest reading of them', async t => {
  const parts = makeParts(t.testdir(), arbitraryOddLines)
  const property = fc.property(
    fc.shuffledSubarray(parts, { minLength: 1, maxLength: 3 }),
    arbitraryLineStage,
    fc.array(fc.oneof(arbitraryLineStage, stageBut('logfmt')), { maxLength: 2 }),
    (some, first, others) => holdsOf(some, [first, ...others]),
  )
  fc.assert(property, longRuns(1000))
})

t.test('templates give what each of their functions says plainly', async t => {
  const parts = makeParts(t.testdir(), arbitraryOddLines)
  forAll(
    longRuns(1500),
    fc.shuffledSubarray(parts, { minLength: 1, maxLength: 2 }),
    fc.constantFrom<Stage[]>([], [{ kind: 'unpack' }], [{ kind: 'json', extractions: [] }]),
    arbitraryTemplate,
    fc.constantFrom('line', 'a', 'b', 'status'),
    fc.array(stageBut('logfmt', 'json'), { maxLength: 1 }),
    (some, before, template, target, behind) => {
      const { text } = template
      const made: Stage =
        target === 'line'
          ? { kind: 'line_format', text }
          : { kind: 'label_format', assignments: [{ label: target, template: text }] }
      try {
        holdsOf(some, [...before, made, ...behind], new Map([[text, template]]))
      } catch (error) {
        if (!(error instanceof TooMuch)) throw error
      }
    },
  )
})

t.test('captures that say nothing, or the same twice, are refused', async t => {
  for (const query of [
    ...['regexp "(?P<a>x)(?P<a>y)"', 'regexp "(x)"', 'regexp "x"', 'pattern "<a> <a>"'],
    ...['pattern "<a><b>"', 'pattern "<a><_>"', 'pattern "<_> x"', 'pattern "x"', 'pattern ""'],
  ]) {
    t.throws(() => parseQuery(`{} | ${query}`), { code: /^query_/ }, query)
  }
})
