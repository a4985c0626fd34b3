import t from 'tap'
import { demoTokens } from '../../src/demo/demo.ts'
import { openTestCatalog } from '../catalog/catalog-in.ts'

t.test('each sender gets a token of its own that says what it is, made once', async t => {
  const catalog = await openTestCatalog(t, t.testdir())
  await catalog.ingestionTokens.create({ serviceName: 'checkout', environment: 'production' })
  const first = await demoTokens(catalog.ingestionTokens)
  t.equal(first.size, 9)
  t.equal(new Set(first.values()).size, 9)
  for (const [sender, token] of first) {
    const { stream } = catalog.ingestionTokens.find(token)!
    t.equal(`${stream.service} ${stream.environment}`, sender)
    t.match(stream.environment, /^demo/)
  }

  const again = await catalog.reopen()
  t.same(await demoTokens(again.ingestionTokens), first, 'the next start finds them')
  t.equal(again.ingestionTokens.list().length, 10)
})

t.test('a token that was deleted is made anew, the others stay', async t => {
  const { ingestionTokens } = await openTestCatalog(t, t.testdir())
  const first = await demoTokens(ingestionTokens)
  const mailer = ingestionTokens.list().find(({ serviceName }) => serviceName === 'mailer')!
  await ingestionTokens.delete(mailer.id)
  const then = await demoTokens(ingestionTokens)
  t.not(then.get('mailer demo'), first.get('mailer demo'))
  t.equal(then.get('search demo'), first.get('search demo'))
})
