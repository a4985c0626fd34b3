import t from 'tap'
import { pageAt, pathTo } from '../../src/web/paths.ts'

t.test('a path leads to its page, with what it names', async t => {
  t.same(pageAt('/'), { page: 'home', id: '' })
  t.same(pageAt('/logs'), { page: 'logs', id: '' })
  t.same(pageAt('/dashboards'), { page: 'dashboards', id: '' })
  t.same(pageAt('/dashboards/a.b-c'), { page: 'dashboard', id: 'a.b-c' })
  t.same(pageAt(pathTo('dashboard', 'a b/ü')), { page: 'dashboard', id: 'a b/ü' })
})

t.test('what is no page is none', async t => {
  for (const path of ['', '/logs/', '/dashboards/', '/dashboards/%', '/a', '/dashboards/a/b']) {
    t.equal(pageAt(path), undefined, path)
  }
})
