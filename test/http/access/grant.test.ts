import t from 'tap'
import type { Role } from '../../../src/catalog/roles.ts'
import type { Route } from '../../../src/http/route.ts'
import { type ProblemCode, ProblemError } from '../../../src/problems.ts'
import { config, ingestionSecret, keyOf, startServer } from '../stand-ins.ts'

const bearer = (secret: string) => `Bearer ${secret}`

/** What nobody may come in with, on any route that is not open. */
const refusedEverywhere = {
  'no credential': undefined,
  'an empty header': '',
  'the scheme alone': 'Bearer',
  'the scheme and a space': 'Bearer ',
  'another scheme': `Basic ${btoa('user:secret')}`,
  'an unknown token': bearer('nobody'),
  'a prefix of a token': bearer(ingestionSecret.slice(0, -1)),
  'a prefix of a key': bearer(keyOf.admin.slice(0, -1)),
  'a key in other letters': bearer(keyOf.admin.toUpperCase()),
  'a token with more behind it': bearer(`${ingestionSecret} more`),
  'a key with more behind it': bearer(`${keyOf.admin} more`),
  'a key in quotes': bearer(`"${keyOf.admin}"`),
  'a very long token': bearer('x'.repeat(3_000)),
  'a token that is not ASCII': bearer('clé'),
  'a scheme twice': bearer(bearer(keyOf.admin)),
  'no space behind the scheme': `Bearer${keyOf.admin}`,
}

const rolesFrom = {
  viewer: ['viewer', 'editor', 'admin'],
  editor: ['editor', 'admin'],
  admin: ['admin'],
} as const satisfies Record<Role, readonly Role[]>

async function ask(url: string, route: Route, authorization: string | undefined) {
  const response = await fetch(url + route.path.replace('{id}', 'known'), {
    method: route.method,
    ...(route.method === 'POST' ? { body: '{}' } : {}),
    headers: {
      ...(route.method === 'POST' ? { 'Content-Type': 'application/json' } : {}),
      ...(authorization === undefined ? {} : { Authorization: authorization }),
    },
  })
  const text = await response.text()
  const problem = response.status >= 400 ? JSON.parse(text) : undefined
  const code = route.errors === undefined ? problem?.code : codeOf(response)
  return { status: response.status, code, headers: response.headers, text }
}

/** Errors in a form that is not ours have no code of ours; the challenge says the same. */
function codeOf({ headers }: Response): string {
  const challenge = headers.get('www-authenticate') ?? ''
  if (challenge.includes('insufficient_scope')) return 'role_insufficient'
  return challenge.includes('invalid_token') ? 'credential_invalid' : 'credential_missing'
}

/** 401, but where the clients of a protocol know another. */
function refusalStatus({ errors }: Route, code: ProblemCode): number {
  return errors?.statusOf(new ProblemError(code, '')) ?? 401
}

t.test('every route but the open ones refuses every bad credential with 401', async t => {
  const { url, routes, ingested, selections } = await startServer(t)
  for (const route of routes.filter(route => route.access !== 'open')) {
    const answers = await Promise.all(
      Object.entries(refusedEverywhere).map(async ([name, header]) => {
        const { status, code, headers, text } = await ask(url, route, header)
        const challenge = headers.get('www-authenticate') ?? ''
        const isBare = challenge === 'Bearer realm="logstrata"'
        const isChallenged =
          code === 'credential_missing'
            ? isBare
            : code === 'credential_invalid' && challenge.includes('error="invalid_token"')
        const isSilent = !text.includes('key_admin') // No credential comes back.
        return {
          name,
          status,
          code,
          challenge,
          isRight: status === refusalStatus(route, code) && isChallenged && isSilent,
        }
      }),
    )
    t.same(
      answers.filter(({ isRight }) => !isRight),
      [],
      `${route.method} ${route.path}`,
    )
  }
  t.same(ingested, [])
  t.same(selections, [])
})

t.test('no credential is missing, an unknown one is invalid', async t => {
  const { url, routes } = await startServer(t)
  for (const route of routes.filter(route => route.access !== 'open')) {
    t.equal((await ask(url, route, undefined)).code, 'credential_missing', route.path)
    t.equal((await ask(url, route, bearer('nobody'))).code, 'credential_invalid', route.path)
  }
})

t.test('a valid credential of the wrong kind or role is refused as written', async t => {
  const { url, routes } = await startServer(t)
  for (const route of routes) {
    if (route.access === 'open') {
      continue
    }
    if (route.access === 'ingestion-token') {
      for (const key of Object.values(keyOf)) {
        t.equal((await ask(url, route, bearer(key))).code, 'credential_invalid', route.path)
      }
      continue
    }
    const allowed: readonly Role[] = route.access === 'front-end' ? [] : rolesFrom[route.access]
    const tooLow = (Object.keys(keyOf) as Role[]).filter(role => !allowed.includes(role))
    for (const secret of [ingestionSecret, ...tooLow.map(role => keyOf[role])]) {
      for (const header of [bearer(secret), secret]) {
        const { status, code } = await ask(url, route, header)
        t.equal(status, 403, `${route.method} ${route.path} with ${header}`)
        t.equal(code, 'role_insufficient')
      }
    }
  }
})

t.test('the right credential is let in, however its scheme is written', async t => {
  const { url, routes } = await startServer(t)
  const areLetIn = async (route: Route, ...headers: (string | undefined)[]) => {
    const statuses = await Promise.all(
      headers.map(async header => [header, (await ask(url, route, header)).status] as const),
    )
    const refused = statuses.filter(([, status]) => status === 401 || status === 403)
    t.same(refused, [], `${route.method} ${route.path}`)
  }
  for (const route of routes) {
    if (route.access === 'open') {
      await areLetIn(route, undefined, bearer('nobody'))
      continue
    }
    if (route.access === 'front-end') continue
    const secrets =
      route.access === 'ingestion-token'
        ? [ingestionSecret]
        : rolesFrom[route.access].map(role => keyOf[role])
    for (const secret of secrets) {
      await areLetIn(route, bearer(secret), `bearer ${secret}`, `BEARER   ${secret}`)
    }
    if (route.access !== 'ingestion-token') {
      await areLetIn(route, secrets[0])
    }
  }
})

t.test('Basic credentials carry an API key where clients have nothing else', async t => {
  const { url, routes } = await startServer(t)
  const basic = (user: string, secret: string) => `Basic ${btoa(`${user}:${secret}`)}`
  const taking = routes.filter(({ takesBasic }) => takesBasic)
  t.ok(taking.length > 20)
  t.ok(taking.every(({ path }) => /^\/(?:api\/v1\/|loki\/|prometheus\/)/.test(path)))
  for (const route of taking) {
    const codeWith = async (header: string) => (await ask(url, route, header)).code
    for (const header of [
      basic('any', keyOf.viewer),
      basic('', keyOf.admin),
      `bAsIc  ${btoa(`a:${keyOf.viewer}`)}`,
    ]) {
      const { status } = await ask(url, route, header)
      t.notOk([401, 403].includes(status), `${route.path}: ${status}`)
    }
    t.equal(await codeWith(basic(keyOf.viewer, '')), 'credential_invalid', 'a key as the user')
    t.equal(await codeWith(basic('a', `${keyOf.viewer}:`)), 'credential_invalid')
    t.equal(await codeWith(`Basic ${btoa(keyOf.viewer)}`), 'credential_invalid', 'no colon')
    t.equal(await codeWith('Basic %%%'), 'credential_invalid')
    t.equal(await codeWith(basic('a', ingestionSecret)), 'role_insufficient')
  }
  const others = routes.filter(({ takesBasic, access }) => !takesBasic && access !== 'open')
  for (const route of others) {
    const { status } = await ask(url, route, basic('any', keyOf.admin))
    t.equal(status, refusalStatus(route, 'credential_invalid'), `${route.method} ${route.path}`)
  }
})

t.test('whoever may ask anything may ask all questions', async t => {
  const { routes } = await startServer(t)
  const questions = routes.filter(({ path }) => /^\/(api\/v1\/query|loki|prometheus)\//.test(path))
  t.ok(questions.length > 20)
  const others = questions.filter(({ access }) => access !== 'viewer').map(({ path }) => path)
  t.same(others, ['/loki/api/v1/push'])
})

t.test('an ingestion token needs its scheme', async t => {
  const { url, routes } = await startServer(t)
  for (const route of routes.filter(route => route.access === 'ingestion-token')) {
    t.equal((await ask(url, route, ingestionSecret)).code, 'credential_missing', route.path)
  }
})

t.test('a credential in the address is none', async t => {
  const { url } = await startServer(t)
  const response = await fetch(`${url}/api/v1/dashboards?token=${keyOf.admin}`)
  t.equal(response.status, 401)
})

t.test('metrics can be closed to those without an API key', async t => {
  const { url } = await startServer(t, { config: { ...config, metricsAccess: 'viewer' } })
  t.equal((await fetch(`${url}/metrics`)).status, 401)
  t.equal((await fetch(`${url}/health`)).status, 200)
  const headers = { Authorization: bearer(keyOf.viewer) }
  t.equal((await fetch(`${url}/metrics`, { headers })).status, 200)
})

t.test('a refusal comes before the body is looked at', async t => {
  const { url } = await startServer(t)
  const response = await fetch(`${url}/api/v1/webhook/event/log`, {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain', 'Content-Encoding': 'nonsense' },
    body: 'x'.repeat(3_000_000),
  })
  t.equal(response.status, 401)
})
