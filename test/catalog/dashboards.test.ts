import t from 'tap'
import { openTestCatalog, testTime } from './catalog-in.ts'

t.test('a dashboard without an id is created under a new one', async t => {
  const { dashboards } = await openTestCatalog(t, t.testdir())
  const { id: first } = await dashboards.put({})
  const { id: second } = await dashboards.put({
    metadata: { title: 'Orders' },
    content: {},
  })
  t.match(first, /^[A-Za-z0-9._-]{1,128}$/)
  t.not(first, second)

  t.equal(
    dashboards.getText(first),
    `{"metadata":{"id":"${first}","folderPath":"/dashboards/default/"}}`,
  )
  t.strictSame(dashboards.get(second), {
    metadata: { title: 'Orders', id: second, folderPath: '/dashboards/default/' },
    content: {},
  })
})

t.test('a dashboard is created under the id that it gives, then replaced as a whole', async t => {
  const catalog = await openTestCatalog(t, t.testdir())
  const { dashboards, clock } = catalog
  const metadata = { id: 'orders', title: 'Orders', folderPath: '/shop/' }
  const first = await dashboards.put({ metadata, content: { title: 'first' }, extra: 1 })
  t.equal(first.id, 'orders')
  clock.time += 1_000
  const replacement = { metadata: { ...metadata, title: 'Sales' }, content: {} }
  t.equal((await dashboards.put(replacement)).id, 'orders')
  t.strictSame(dashboards.get('orders'), replacement)

  const again = await catalog.reopen()
  t.strictSame(again.dashboards.get('orders'), replacement)
  t.strictSame(again.dashboards.list(), [
    {
      id: 'orders',
      title: 'Sales',
      folderPath: '/shop/',
      createdAt: testTime,
      updatedAt: testTime + 1_000,
    },
  ])
})

t.test('the list is by folder, then by title', async t => {
  const { dashboards } = await openTestCatalog(t, t.testdir())
  const put = (id: string, folderPath: string, title: string) =>
    dashboards.put({ metadata: { id, folderPath, title } })
  await put('1', '/b/', 'a')
  await put('2', '/a/', 'b')
  await put('4', '/a/', 'a')
  await put('3', '/a/', 'a')
  await put('5', '/', 'z')
  await dashboards.put({ metadata: { id: '6', folderPath: '/' }, content: { title: 'y' } })
  await dashboards.put({ metadata: { id: '7', folderPath: '/' } })
  t.same(
    dashboards.list().map(({ id, title }) => [id, title]),
    [
      ['7', ''],
      ['6', 'y'],
      ['5', 'z'],
      ['3', 'a'],
      ['4', 'a'],
      ['2', 'b'],
      ['1', 'a'],
    ],
  )
})

t.test('a deleted dashboard is gone, and its id may be used again', async t => {
  const { dashboards, clock } = await openTestCatalog(t, t.testdir())
  await dashboards.put({ metadata: { id: 'orders' } })
  await dashboards.delete('orders')
  t.throws(() => dashboards.get('orders'), { code: 'dashboard_unknown' })
  t.same(dashboards.list(), [])
  clock.time += 1
  await dashboards.put({ metadata: { id: 'orders' } })
  t.match(dashboards.list(), [{ createdAt: testTime + 1 }])
})

t.test('an id that no dashboard has is unknown, whatever it looks like', async t => {
  const { dashboards } = await openTestCatalog(t, t.testdir())
  await dashboards.put({ metadata: { id: 'orders' } })
  const refuses = async (id: string) => {
    t.throws(() => dashboards.getText(id), { code: 'dashboard_unknown' })
    t.throws(() => dashboards.get(id), { code: 'dashboard_unknown' })
    await t.rejects(dashboards.delete(id), { code: 'dashboard_unknown' })
  }

  await refuses('')
  await refuses('Orders')
  await refuses('orders\0')
  await refuses('../orders')
  await refuses('__proto__')
  await refuses('ä'.repeat(128))
  await refuses('x'.repeat(10_000))
  t.equal(dashboards.list().length, 1)
})

t.test('a version is of the text: the same until another text is stored', async t => {
  const { dashboards } = await openTestCatalog(t, t.testdir())
  const board = (title: string) => ({ metadata: { id: 'orders', title } })
  const first = await dashboards.put(board('a'))
  t.equal(dashboards.getStored('orders').version, first.version)
  const second = await dashboards.put(board('b'))
  t.not(second.version, first.version)
  t.equal((await dashboards.put(board('a'))).version, first.version)
  t.match(first.version, /^[\w-]+$/)
})

t.test('of changes to the same version only the first is made', async t => {
  const { dashboards } = await openTestCatalog(t, t.testdir())
  const { version } = await dashboards.put({ metadata: { id: 'orders', title: 'first' } })
  const change = (title: string) =>
    dashboards.put({ metadata: { id: 'orders', title } }, one => one === version)
  const outcomes = await Promise.allSettled(['a', 'b', 'c'].map(change))
  t.match(outcomes, [
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: 'dashboard_changed' } },
    { status: 'rejected', reason: { code: 'dashboard_changed' } },
  ])
  t.match(dashboards.get('orders'), { metadata: { title: 'a' } })
  await t.rejects(change('d'), { code: 'dashboard_changed' })
  await dashboards.put({ metadata: { id: 'orders', title: 'any' } })
  t.match(dashboards.get('orders'), { metadata: { title: 'any' } }, 'without a condition')
})

t.test('a change to a version of what is not there is refused', async t => {
  const { dashboards } = await openTestCatalog(t, t.testdir())
  const isAny = () => true
  const refuses = (metadata: object) =>
    t.rejects(dashboards.put({ metadata }, isAny), { code: 'dashboard_changed' })

  await refuses({})
  await refuses({ id: 'never' })
  const { id } = await dashboards.put({ metadata: { id: 'gone' } })
  await dashboards.put({ metadata: { id } }, isAny)
  await dashboards.delete(id)
  await refuses({ id })
  t.same(dashboards.list(), [])
})
