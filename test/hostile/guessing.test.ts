import fs from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { digestOf } from '../../src/catalog/secrets/digest.ts'
import { openTestCatalog } from '../catalog/catalog-in.ts'

t.test('a credential is looked up by its digest alone, however much of it is right', async t => {
  const { apiKeys, ingestionTokens } = await openTestCatalog(t, t.testdir())
  const { key } = await apiKeys.create({ name: 'a', role: 'viewer' })
  const made = await ingestionTokens.create({ serviceName: 'a', environment: 'b' })
  const { get } = Map.prototype
  /** What `find` gives for a guess, and the keys under which it looks into maps. */
  const watched = <T>(find: () => T) => {
    const lookedUp: unknown[] = []
    Map.prototype.get = function (this: Map<unknown, unknown>, wanted: unknown) {
      lookedUp.push(wanted)
      return get.call(this, wanted)
    }
    try {
      return { found: find(), lookedUp }
    } finally {
      Map.prototype.get = get
    }
  }
  const guesses = (secret: string) => [
    secret.slice(0, -1),
    `${secret.slice(0, -1)}x`,
    `${secret}x`,
    'wrong',
    '',
  ]
  for (const [secret, find] of [
    [key, (guess: string) => apiKeys.find(guess)],
    [made.token, (guess: string) => ingestionTokens.find(guess)],
  ] as const) {
    for (const guess of guesses(secret)) {
      const { found, lookedUp } = watched(() => find(guess))
      t.equal(found, undefined)
      t.same(lookedUp, [digestOf(guess)], 'one look-up, by the digest of what was given')
    }
    t.ok(find(secret))
  }
})

t.test('only the digest and the Map compare credentials', async t => {
  const directory = join(import.meta.dirname, '../../src')
  const comparing: string[] = []
  for (const name of fs.readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    if (!/^(catalog|http)\/.*\.ts$/.test(name)) continue
    const source = fs.readFileSync(join(directory, name), 'utf8')
    // A secret beside an operator that compares, or that begins, ends or contains.
    const compares = /\b(secret|token|key|credential)\b (===|!==) (?!undefined|''|null)\w/
    const searches = /\b(secret|credential)\.(startsWith|endsWith|includes|indexOf|localeCompare)\(/
    if (compares.test(source) || searches.test(source)) comparing.push(name)
  }
  t.same(comparing, [])
})
