import fc from 'fast-check'
import t from 'tap'
import { movedCell, shadesOf } from '../../../src/web/chart/cells.ts'
import { courseCsv, csvOf, totalsCsv } from '../../../src/web/chart/csv.ts'
import { colored, type Group, largestFirst } from '../../../src/web/chart/groups.ts'
import { shareText, slicesMax, slicesOf } from '../../../src/web/chart/shares.ts'
import { shownOf, toggled } from '../../../src/web/chart/toggling.ts'
import { sparkPath, trendText } from '../../../src/web/chart/trend.ts'

function group(name: string, total: number | undefined, values: Group['values'] = []): Group {
  return { name, labels: { host: name }, total, values, color: '--series-1' }
}

t.test(
  'a click in a legend shows one alone, the next all again; with a key it comes and goes',
  async t => {
    const all = ['a', 'b', 'c']
    t.same(toggled(all, [], 'b', false), ['b'])
    t.same(toggled(all, ['b'], 'b', false), [])
    t.same(toggled(all, ['b'], 'c', false), ['c'])
    t.same(toggled(all, [], 'b', true), ['a', 'c'])
    t.same(toggled(all, ['a', 'c'], 'b', true), [], 'all: none is named')
    t.same(shownOf(all, toggled(all, ['b'], 'b', true)), all, 'never nothing at all')
    t.same(shownOf(all, ['of another query']), all)
  },
)

t.test('whatever is clicked, what is shown are some of the names, in their order', async () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd')
  const clicks = fc.array(fc.record({ name, keepsOthers: fc.boolean() }), { maxLength: 12 })
  fc.assert(
    fc.property(clicks, list => {
      const all = ['a', 'b', 'c', 'd']
      const model = new Set(all)
      let only: readonly string[] = []
      for (const { name, keepsOthers } of list) {
        only = toggled(all, only, name, keepsOthers)
        const wasAlone = model.size === 1 && model.has(name)
        if (keepsOthers && !model.delete(name)) model.add(name)
        if (!keepsOthers) {
          model.clear()
          model.add(name)
          if (wasAlone) for (const one of all) model.add(one)
        }
        if (model.size === 0) for (const one of all) model.add(one)
        const expected = all.filter(one => model.has(one))
        if (shownOf(all, only).join() !== expected.join()) return false
      }
      return true
    }),
  )
})

t.test('CSV quotes what needs it, and leaves empty what is not there', async t => {
  t.equal(
    csvOf(
      ['a', 'b'],
      [
        ['x,y', 'say "no"'],
        [undefined, 1.5],
      ],
    ),
    'a,b\r\n"x,y","say ""no"""\r\n,1.5\r\n',
  )
  const course = courseCsv([0, 60_000], [group('n1', 3, [1, undefined])])
  t.equal(course, 'time,n1\r\n1970-01-01T00:00:00.000Z,1\r\n1970-01-01T00:01:00.000Z,\r\n')
  t.equal(
    totalsCsv([group('n1', 3), group('n2\n', undefined)]),
    'host,value\r\nn1,3\r\n"n2\n",\r\n',
  )
})

t.test('the largest groups come first; of many the smaller are one slice of a pie', async t => {
  const groups = Array.from({ length: 20 }, (_, at) => group(`n${at}`, at))
  t.same(
    largestFirst([group('a', 1), group('b', undefined), group('c', 3)]).map(({ name }) => name),
    ['c', 'a'],
  )
  const slices = slicesOf([...groups, group('below', -5)])
  t.equal(slices.length, slicesMax)
  t.equal(slices.at(-1)!.name, '8 others')
  t.equal(
    slices.reduce((sum, { total }) => sum + total, 0),
    190,
    'all that is above zero',
  )
  t.same([0.004, 0.5, 1].map(shareText), ['< 1 %', '50 %', '100 %'])
})

t.test('levels have their colours and their order, others have theirs by place', async t => {
  const level = (name: string) => ({ name, labels: { log_level: name } })
  const levels = colored(['info', 'error'].map(level))
  t.same(
    levels.map(({ color }) => color),
    ['--bar-error', '--bar-info'],
  )
  const others = colored([group('b', 1), group('a', 2)])
  t.same(
    others.map(({ name, color }) => `${name} ${color}`),
    ['b --series-1', 'a --series-2'],
  )
})

t.test('a trend says how much more or less there is than before', async t => {
  t.equal(trendText(15, 10), '▲ 50 % more than before')
  t.equal(trendText(5, 10), '▼ 50 % less than before')
  t.equal(trendText(300, 2), '▲ 150 times as much as before')
  t.equal(trendText(2, 2), 'as before')
  t.equal(trendText(2, 0), '▲ from 0 before')
  t.equal(trendText(2, undefined), 'nothing before')
  t.equal(
    sparkPath([0, 1, undefined, 1]),
    'M0 23L33.33 1M100 1',
    'the line ends where there is none',
  )
  t.equal(sparkPath([]), '')
})

t.test('a cell has more of the colour the larger its value is, and keys stay within', async t => {
  const shade = shadesOf([group('a', 0, [0, 5, undefined]), group('b', 0, [10, Infinity])])
  t.equal(shade(0), 0)
  t.equal(shade(10), 1)
  t.ok(shade(5) > 0.5 && shade(5) < 0.6)
  t.same(movedCell('ArrowLeft', undefined, 2, 3), { row: 0, column: 2 })
  t.same(movedCell('ArrowRight', { row: 0, column: 2 }, 2, 3), { row: 0, column: 2 })
  t.same(movedCell('ArrowDown', { row: 0, column: 2 }, 2, 3), { row: 1, column: 2 })
  t.equal(movedCell('Enter', { row: 0, column: 2 }, 2, 3), undefined)
  t.equal(movedCell('ArrowUp', undefined, 0, 3), undefined)
})
