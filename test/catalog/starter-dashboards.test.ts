import t, { type Test } from 'tap'
import { dashboardSchema } from '../../src/catalog/dashboard-schema.ts'
import type { Widget } from '../../src/catalog/starter/widgets.ts'
import { starterDashboards } from '../../src/catalog/starter-dashboards.ts'
import { parseQuery, parseSingle } from '../../src/language/grammar.ts'
import { metricsBetween, type SelfSample } from '../../src/observe/self-metrics.ts'
import { checkBody } from '../../src/schema/check.ts'
import { openTestCatalog } from './catalog-in.ts'

type Starter = (typeof starterDashboards)[number]

/** The texts of all queries in a widget, wherever they stand. */
function queriesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'query' && typeof member === 'string' ? [member] : queriesIn(member),
  )
}

const each = (claim: string, check: (t: Test, dashboard: Starter) => void | Promise<void>) =>
  t.test(claim, async t => {
    for (const dashboard of starterDashboards) await check(t, dashboard)
  })

each('every query of the starters is of our language, with its variables', (t, { content }) => {
  const variables = Object.fromEntries(
    content.variables.map(({ name, defaultValue }) => [name, defaultValue]),
  )
  const queries = queriesIn(content.widgets)
  t.ok(queries.length >= 8, `${content.title} has ${queries.length} queries`)
  for (const query of queries) {
    t.doesNotThrow(() => parseQuery(query, variables), query)
    for (const [, name] of query.matchAll(/\$(\w+)/g)) t.ok(Object.hasOwn(variables, name!))
  }
  for (const widget of content.widgets.filter(({ type }) => type === 'log')) {
    for (const query of queriesIn(widget)) {
      t.equal(parseSingle(query, variables).query.kind, 'selector', 'a log shows records')
    }
  }
})

each('widgets stay within 12 columns and do not overlap', (t, { content }) => {
  const taken = new Set<string>()
  for (const { type, position } of content.widgets) {
    t.equal(position.type, 'absolute')
    const { x, y, w, h } = position.absolute
    t.ok(x >= 0 && y >= 0 && w > 0 && h > 0 && x + w <= 12, `${type} at ${x},${y}`)
    for (let column = x; column < x + w; column++) {
      for (let row = y; row < y + h; row++) {
        if (taken.has(`${column},${row}`)) t.fail(`${type} overlaps at ${column},${row}`)
        taken.add(`${column},${row}`)
      }
    }
  }
})

each('a starter has the form that clients send', (t, dashboard) => {
  t.doesNotThrow(() => checkBody(dashboardSchema, structuredClone(dashboard), 'dashboard'))
  for (const widget of dashboard.content.widgets as readonly Widget[]) {
    t.match(widget.type, /^(markdown|chart|stat|gauge|log)$/)
    t.type(widget[widget.type], 'object', 'the payload is under the name of its type')
  }
})

t.test('the dashboard about this service asks for figures that it records', async t => {
  const sample = { totals: { queryBuckets: [{ secondsMax: 1, count: 0 }] }, store: {} }
  const after = { totals: { queryBuckets: [{ secondsMax: 1, count: 9 }] }, store: {} }
  const rest = { time: 0, loopDelayMs: {} }
  const figures = metricsBetween(
    { ...sample, ...rest } as unknown as SelfSample,
    { ...after, ...rest } as unknown as SelfSample,
  )
  const thisService = starterDashboards[1]!
  const asked = queriesIn(thisService.content.widgets).flatMap(query =>
    [...query.matchAll(/unwrap (\w+)/g)].map(([, name]) => name!),
  )
  t.ok(asked.length > 15)
  for (const name of asked) t.ok(Object.hasOwn(figures, name), name)
})

t.test('the starters are made once, and are then like any other', async t => {
  const catalog = await openTestCatalog(t, t.testdir())
  await catalog.ensureStarterDashboards()
  const ids = catalog.dashboards.list().map(({ id }) => id)
  t.same(ids, ['starter-ingested-logs', 'starter-this-service'])
  t.strictSame(catalog.dashboards.get(ids[0]!), JSON.parse(JSON.stringify(starterDashboards[0])))

  const changed = { metadata: { id: ids[0], title: 'Mine' } }
  await catalog.dashboards.put(changed)
  await catalog.dashboards.delete(ids[1]!)
  const again = await catalog.reopen()
  await again.ensureStarterDashboards()
  t.match(again.dashboards.list(), [{ id: ids[0], title: 'Mine' }])
  await again.dashboards.delete(ids[0]!)
  const last = await again.reopen()
  await last.ensureStarterDashboards()
  t.same(last.dashboards.list(), [])
})

t.test('a crash between them is made good, people’s own dashboards are left alone', async t => {
  const dirs = t.testdir({ cut: {}, old: {} })
  const cut = await openTestCatalog(t, `${dirs}/cut`)
  await cut.dashboards.put(starterDashboards[0])
  await cut.ensureStarterDashboards()
  t.equal(cut.dashboards.list().length, 2)

  const old = await openTestCatalog(t, `${dirs}/old`)
  await old.dashboards.put({ metadata: { id: 'mine' } })
  await old.ensureStarterDashboards()
  t.same(
    old.dashboards.list().map(({ id }) => id),
    ['mine'],
  )
  await old.dashboards.delete('mine')
  await old.ensureStarterDashboards()
  t.same(old.dashboards.list(), [], 'also later on')
})
