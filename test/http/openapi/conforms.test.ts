import type { Test } from 'tap'
import t from 'tap'
import { Type } from 'typebox'
import { jsonAnswer, type Operation } from '../../../src/http/openapi/operation.ts'
import { jsonReply, type Reply } from '../../../src/http/reply/reply.ts'
import type { DescribedRoute } from '../../../src/http/route.ts'
import { createHttpServer } from '../../../src/http/server.ts'
import { ProblemError } from '../../../src/problems.ts'
import { conforms, endChecks } from '../conforms.ts'
import { describe } from '../described.ts'
import { standIns } from '../stand-ins.ts'

const about: Operation = {
  id: 'one',
  tag: 'Service',
  summary: 'One',
  answers: {
    200: jsonAnswer('One.', Type.Object({ a: Type.Integer(), b: Type.Optional(Type.String()) })),
  },
  problems: ['field_invalid'],
}

/** A server that answers `/one` so. */
async function started(t: Test, make: () => Reply): Promise<{ readonly url: string }> {
  const { dependencies } = standIns()
  const routes: readonly DescribedRoute[] = [
    { method: 'GET', path: '/one', access: 'open', body: 'none', handle: make, about },
  ]
  const server = await createHttpServer({ ...dependencies, host: '127.0.0.1', port: 0, routes })
  const url = `http://127.0.0.1:${server.port}`
  conforms(url, describe(routes))
  t.teardown(() => {
    endChecks(url)
    return server.stop(0)
  })
  return { url }
}

/** Asks such a server, and reads the answer. */
async function ask(t: Test, make: () => Reply, path = '/one'): Promise<unknown> {
  const { url } = await started(t, make)
  return (await fetch(url + path)).json()
}

t.test('an answer as it is described passes', async t => {
  t.same(await ask(t, () => jsonReply({ a: 1 })), { a: 1 })
  t.same(await ask(t, () => jsonReply({ a: 1, b: '' })), { a: 1, b: '' })
  t.match(await ask(t, refusal('field_invalid')), { code: 'field_invalid' })
  t.match(await ask(t, () => jsonReply({}), '/nothing'), { code: 'path_unknown' })
})

t.test('who has the port of a server that has ended is not held to its document', async t => {
  const { url } = await started(t, () => jsonReply({ c: 2 }))
  await t.rejects(
    fetch(`${url}/one`).then(answer => answer.json()),
    /not as described/,
  )
  endChecks(url)
  t.same(await (await fetch(`${url}/one`)).json(), { c: 2 })
})

t.test('an answer that is not described fails the test that met it', async t => {
  const fails = (make: () => Reply, why: RegExp) => t.rejects(ask(t, make), why)

  await fails(() => jsonReply({ a: 1 }, 201), /status is not described/)
  await fails(() => ({ status: 200, contentType: 'text/csv', body: '' }), /text\/csv is not/)
  await fails(() => jsonReply({ a: 1.5 }), /not as described: \/a/)
  await fails(() => jsonReply({}), /not as described/)
  await fails(() => jsonReply({ a: 1, c: 2 }), /not as described/)
  await fails(refusal('cursor_invalid'), /not as described: \/code/)
  await fails(refusal('query_timeout'), /not as described: \/code/)
  await fails(refusal('record_unknown'), /status is not described/)
})

function refusal(code: ConstructorParameters<typeof ProblemError>[0]) {
  return () => {
    throw new ProblemError(code, 'no')
  }
}
