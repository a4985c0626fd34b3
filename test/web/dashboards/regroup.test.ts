import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { rootWidgets, widgetsIn } from '../../../src/web/dashboards/model/board.ts'
import { placesAt } from '../../../src/web/dashboards/model/changes.ts'
import { arranged, onGrid, overlap, savedRow } from '../../../src/web/dashboards/model/grid.ts'
import {
  type Json,
  listAt,
  type Path,
  printTree,
  readTree,
  valueAt,
} from '../../../src/web/dashboards/model/json-tree.ts'
import { canMoveTo, regrouped, widgetLists } from '../../../src/web/dashboards/model/regroup.ts'

const value = fc.integer({ min: 0, max: 12 })
const place = fc.record({ x: value, y: value, w: value, h: value })
const position = fc.record({ type: fc.constant('absolute'), absolute: place })
const leaf = fc.record({ type: fc.constant('stat'), position, id: fc.nat() })
const group = (inner: fc.Arbitrary<object>) =>
  fc.record({
    type: fc.constant('group'),
    position,
    group: fc.record({ title: fc.string(), widgets: fc.array(inner, { maxLength: 3 }) }),
  })
const nested = fc.oneof(leaf, group(fc.oneof(leaf, group(leaf))))
const board = fc
  .array(nested, { maxLength: 5 })
  .map(widgets => ({ content: { widgets } }) as unknown as Json)

/** The paths of all widgets. */
function allWidgets(tree: Json): readonly Path[] {
  return widgetLists(tree).flatMap(({ path }) => listAt(tree, path).map((_, at) => [...path, at]))
}

/** All widgets but groups, without their places: what moving must neither lose nor change. */
function contents(tree: Json): readonly string[] {
  return allWidgets(tree)
    .map(path => valueAt(tree, path) as { type: string; id?: number })
    .filter(({ type }) => type === 'stat')
    .map(({ id }) => String(id))
    .sort()
}

t.test('a widget goes to any list that is not in it, and nothing else is lost', async () => {
  fc.assert(
    fc.property(board, fc.nat(), fc.nat(), fc.option(place), (tree, from, to, wanted) => {
      const widgets = allWidgets(tree)
      const lists = widgetLists(tree)
      fc.pre(widgets.length > 0)
      const widget = widgets[from % widgets.length]!
      const list = lists[to % lists.length]!.path
      const moved = regrouped(tree, widget, list, wanted ?? undefined)
      assert.equal(moved !== undefined, canMoveTo(list, widget))
      if (moved === undefined) return
      const { position: _, ...before } = valueAt(tree, widget) as { position: unknown }
      const { position: __, ...after } = valueAt(moved.tree, moved.path) as { position: unknown }
      assert.deepEqual(after, before)
      assert.deepEqual(contents(moved.tree), contents(tree))
      const there = moved.path.slice(0, -1)
      const places = placesAt(moved.tree, there)
      assert.equal(places.length, listAt(tree, list).length + 1)
      assert.ok(places.every((one, at) => places.slice(at + 1).every(two => !overlap(one, two))))
      if (wanted !== null) assert.deepEqual(places.at(-1), onGrid(wanted))
      const lost = listAt(tree, widget.slice(0, -1)).length - 1
      assert.ok(
        widgetLists(moved.tree).some(({ path }) => listAt(moved.tree, path).length === lost),
      )
    }),
    { numRuns: 500 },
  )
})

t.test('there and back again a dashboard is the same but for order and places', async t => {
  const tree = readTree(
    '{"content":{"widgets":[{"type":"x","id":9007199254740993},{"type":"group","position":{"absolute":{"x":0,"y":4,"w":12,"h":4}},"group":{"title":"g"}}]}}',
  )
  const into = regrouped(tree, [...rootWidgets, 0], widgetsIn([...rootWidgets, 1]))!
  t.same(into.path, [...rootWidgets, 0, 'group', 'widgets', 0], 'the group is the first one now')
  t.match(printTree(into.tree), '"widgets":[{"type":"x","id":9007199254740993,"position"')
  const back = regrouped(into.tree, into.path, rootWidgets)!
  t.same(back.path, [...rootWidgets, 1])
  t.match(
    printTree(back.tree),
    '{"type":"group","position":{"absolute":{"x":0,"y":4,"w":12,"h":4}},"group":{"title":"g","widgets":[]}},{"type":"x","id":9007199254740993',
  )
})

t.test('a widget goes neither into itself, nor to where it is, nor from nowhere', async t => {
  const widgets = [{ type: 'group', group: { widgets: [{ type: 'group', group: {} }] } }]
  const tree: Json = { content: { widgets } }
  const outer = [...rootWidgets, 0]
  const inner = [...widgetsIn(outer), 0]
  const refuses = (widget: Path, list: Path) => t.equal(regrouped(tree, widget, list), undefined)

  refuses(outer, widgetsIn(outer))
  refuses(outer, widgetsIn(inner))
  refuses(outer, rootWidgets)
  refuses(inner, widgetsIn(outer))
  refuses([...rootWidgets, 7], widgetsIn(outer))
  t.ok(regrouped(tree, inner, rootWidgets))
})

t.test('the row that is drawn leads back to the one that is saved', async () => {
  const row = fc.record({
    drawn: fc.integer({ min: 1, max: 9 }),
    saved: fc.integer({ min: 1, max: 9 }),
  })
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), fc.nat(), (rows, pick) => {
      let y = 0
      const saved = rows.map(({ saved: h }) => {
        y += h
        return { x: 0, y: y - h, w: 12, h }
      })
      const shown = arranged(
        saved,
        rows.map(({ drawn }) => drawn),
      )
      const at = pick % rows.length
      assert.equal(savedRow(shown[at]!.y, shown, saved), saved[at]!.y)
    }),
  )
})
