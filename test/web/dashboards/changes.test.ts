import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { starterDashboards } from '../../../src/catalog/starter-dashboards.ts'
import {
  readBoard,
  readWidgets,
  rootWidgets,
  widgetTypes,
} from '../../../src/web/dashboards/model/board.ts'
import {
  blankDashboard,
  duplicateOf,
  importable,
  placesAt,
  withNewVariable,
  withNewWidget,
  withPlace,
  withWidgetCopy,
} from '../../../src/web/dashboards/model/changes.ts'
import { onGrid, overlap } from '../../../src/web/dashboards/model/grid.ts'
import {
  type Json,
  printTree,
  readTree,
  valueAt,
} from '../../../src/web/dashboards/model/json-tree.ts'

const starter = starterDashboards[0]! as unknown as Json

t.test('the starter dashboards are read whole', async t => {
  const board = readBoard(starter)
  t.match(board, { id: 'starter-ingested-logs', defaultTimeRange: '1h', hidesEnvironment: true })
  t.same(
    board.variables.map(({ name, attribute }) => [name, attribute]),
    [
      ['service', 'service.name'],
      ['environment', 'environment'],
    ],
  )
  for (const dashboard of starterDashboards) {
    for (const widget of readWidgets(dashboard as unknown as Json, rootWidgets)) {
      t.ok(widget.place, widget.title)
      t.ok(widget.type === 'markdown' ? widget.content : widget.queries[0]?.query, widget.title)
    }
  }
  const gauge = readWidgets(starter, rootWidgets).find(({ type }) => type === 'gauge')
  t.match(gauge, { min: 0, max: 100, label: '%', reduction: 'avg' })
})

t.test('other forms that clients send are read too', async t => {
  const tree: Json = {
    content: {
      variables: [
        {
          name: 'v',
          selector: { dynamic: { attributeKey: 'host', selectorQueries: ['logs{a="b"}'] } },
        },
        { name: 'v' },
        7,
      ],
      widgets: [
        { type: 'stat', stat: { expression: { metoroQLQuery: 'count(logs)' } } },
        { type: 'gauge', gauge: { min: 5, max: 1, label: 'x', expression: null } },
        { type: 'constructor' },
        null,
      ],
    },
  }
  t.match(readBoard(tree).variables, [
    { attribute: 'host', query: 'logs{a="b"}', isOverridable: true },
  ])
  t.equal(readBoard(tree).variables.length, 1)
  const [stat, gauge, odd, none] = readWidgets(tree, rootWidgets)
  t.equal(stat?.queries[0]?.query, 'count(logs)')
  t.match(gauge, { min: 5, max: 6, label: 'x', queries: [] })
  t.equal(odd?.type, 'constructor')
  t.equal(none?.type, '')
})

t.test('moving a widget writes places that changed and nothing else', async () => {
  const value = fc.integer({ min: 0, max: 20 })
  const place = fc.record({ x: value, y: value, w: value, h: value })
  const text = printTree(starter)
  fc.assert(
    fc.property(fc.nat({ max: 8 }), place, (index, wanted) => {
      const after = withPlace(starter, rootWidgets, index, wanted)
      const places = placesAt(after, rootWidgets)
      assert.deepEqual(places[index], onGrid(wanted))
      for (const [at, one] of places.entries()) {
        assert.ok(places.slice(at + 1).every(other => !overlap(one, other)))
        const path = [...rootWidgets, at]
        const isSame = valueAt(after, path) === valueAt(starter, path)
        const before = placesAt(starter, rootWidgets)[at]!
        assert.equal(
          isSame,
          before.x === one.x && before.y === one.y && before.w === one.w && before.h === one.h,
        )
      }
      assert.equal(printTree(starter), text)
    }),
  )
})

t.test('unknown members of a place and a widget stay when it moves', async t => {
  const tree = readTree(
    '{"content":{"widgets":[{"type":"x","id":9007199254740993,"position":{"type":"absolute","z":1,"absolute":{"x":0,"y":0,"w":2,"h":2,"k":true}}}]}}',
  )
  const moved = withPlace(tree, rootWidgets, 0, { x: 3, y: 1, w: 2, h: 2 })
  t.equal(
    printTree(moved),
    '{"content":{"widgets":[{"type":"x","id":9007199254740993,"position":{"type":"absolute","z":1,"absolute":{"x":3,"y":1,"w":2,"h":2,"k":true}}}]}}',
  )
})

t.test('new widgets and copies find room, and can be read', async t => {
  let tree = blankDashboard('new')
  for (const type of widgetTypes) tree = withNewWidget(tree, rootWidgets, type)
  tree = withWidgetCopy(tree, rootWidgets, 0)
  const widgets = readWidgets(tree, rootWidgets)
  t.same(
    widgets.map(({ type }) => type),
    [...widgetTypes, widgetTypes[0]],
  )
  const places = placesAt(tree, rootWidgets)
  t.ok(places.every((one, at) => places.slice(at + 1).every(other => !overlap(one, other))))
  const withTwo = withNewVariable(withNewVariable(tree))
  t.same(
    readBoard(withTwo).variables.map(({ name }) => name),
    ['variable1', 'variable2'],
  )
})

t.test('a copy has no id and another title', async t => {
  const { id, title } = readBoard(duplicateOf(starter))
  t.equal(id, '')
  t.equal(title, 'Ingested logs (copy)')
})

t.test('a file is taken as it was exported, or as it was sent', async t => {
  t.same(importable('{"metadata":{"title":"x"}}'), { metadata: { title: 'x' } })
  t.same(importable('{"dashboard":{"content":{"widgets":[]}}}'), { content: { widgets: [] } })
  const refuses = (text: string) => t.throws(() => importable(text), text)

  refuses('[]')
  refuses('{')
  refuses('{"content":{"widgets":{}}}')
  refuses('{"metadata":{"title":1}}')
})
