import t from 'tap'
import { pageAt, pathTo } from '../../src/http/page-paths.ts'

t.test('a path leads to its page, with what it names', async t => {
  t.same(pageAt('/'), { page: 'home', id: '', group: '' })
  t.same(pageAt('/logs'), { page: 'logs', id: '', group: '' })
  t.same(pageAt('/traces/4bf9'), { page: 'trace', id: '4bf9', group: '' })
  t.same(pageAt('/dashboards'), { page: 'dashboards', id: '', group: '' })
  t.same(pageAt('/dashboards/a.b-c'), { page: 'dashboard', id: 'a.b-c', group: '' })
  const place = { page: 'dashboard', id: 'a b/ü', group: '' }
  t.same(pageAt(pathTo('dashboard', 'a b/ü')), place)
  t.same(pageAt('/settings/api-keys'), { page: 'settingsSection', id: 'api-keys', group: '' })
  const way = { page: 'settingsGroupSection', id: 'event-ingestion', group: 'integrations' }
  t.same(pageAt('/settings/integrations/event-ingestion'), way)
  t.equal(
    pathTo(way.page as 'settingsGroupSection', way.id, way.group),
    '/settings/integrations/event-ingestion',
  )
})

t.test('what is no page is none', async t => {
  for (const path of [
    '',
    '/logs/',
    '/dashboards/',
    '/dashboards/%',
    '/a',
    '/dashboards/a/b',
    '/settings//x',
  ]) {
    t.equal(pageAt(path), undefined, path)
  }
})
