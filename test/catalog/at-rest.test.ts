import { randomBytes } from 'node:crypto'
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { CatalogDatabase } from '../../src/catalog/database.ts'
import { openTestCatalog } from './catalog-in.ts'

const api = { serviceName: 'api', environment: 'prod' }

interface StoredSecret {
  encryptedSecret: Uint8Array
}

/** Changes what is stored about tokens behind the catalog's back. It must be closed. */
async function tamper(dataDir: string, change: (secrets: Map<string, StoredSecret>) => void) {
  const database = await CatalogDatabase.open(dataDir)
  const collection = database.collection<StoredSecret>('ingestion-tokens', 'msgpack')
  const secrets = new Map([...collection.getRange()].map(({ key, value }) => [key, value]))
  change(secrets)
  await database.write(() => {
    for (const [id, secret] of secrets) {
      collection.put(id, secret)
    }
  })
  await database.close()
}

t.test('no file holds the text of a token or of a key', async t => {
  const { dataDir, ingestionTokens, apiKeys, close } = await openTestCatalog(t, t.testdir())
  const secrets: string[] = []
  for (let index = 0; index < 20; index += 1) {
    secrets.push((await ingestionTokens.create(api)).token)
    secrets.push((await apiKeys.create({ name: 'a', role: 'viewer' })).key)
  }
  secrets.push((await apiKeys.ensureAdmin(undefined))?.key ?? '')
  secrets.push((await apiKeys.ensureAdmin('chosen-by-the-operator'))?.key ?? '')
  ingestionTokens.list()
  await ingestionTokens.delete(ingestionTokens.list()[0]?.id ?? '')
  await close()

  const names = await readdir(dataDir)
  t.ok(names.includes('catalog.lmdb') && names.includes('secret.key'))
  for (const name of names) {
    const bytes = await readFile(join(dataDir, name))
    const secretKey = await readFile(join(dataDir, 'secret.key'))
    t.notOk(name !== 'secret.key' && bytes.includes(secretKey), `${name}: the secret key`)
    const found = secrets.filter(secret =>
      holdsAny(bytes, [secret, secret.slice(4), Buffer.from(secret.slice(4), 'hex')]),
    )
    t.same(found, [], name)
  }
  const catalogBytes = await readFile(join(dataDir, 'catalog.lmdb'))
  t.ok(catalogBytes.includes('prod'), 'the search would find what is there')
})

function holdsAny(bytes: Buffer, needles: (string | Buffer)[]): boolean {
  return needles.some(needle => needle.length > 0 && bytes.includes(needle))
}

t.test('a copied catalog.lmdb reveals no secret without its secret.key', async t => {
  const catalog = await openTestCatalog(t, t.testdir({ copy: {} }))
  const { id } = await catalog.ingestionTokens.create(api)
  await catalog.close()
  const copyDir = join(catalog.dataDir, 'copy')
  await copyFile(join(catalog.dataDir, 'catalog.lmdb'), join(copyDir, 'catalog.lmdb'))
  await t.rejects(openTestCatalog(t, copyDir), { message: /secret\.key is missing/ })

  await writeFile(join(copyDir, 'secret.key'), randomBytes(32))
  const { ingestionTokens } = await openTestCatalog(t, copyDir)
  t.throws(() => ingestionTokens.secret(id), { message: /cannot be decrypted/ })
  t.match(ingestionTokens.list(), [{ id, hint: '' }])
})

t.test('a ciphertext that was moved to another token is refused', async t => {
  const catalog = await openTestCatalog(t, t.testdir())
  const first = await catalog.ingestionTokens.create(api)
  const second = await catalog.ingestionTokens.create(api)
  await catalog.close()
  await tamper(catalog.dataDir, secrets => {
    const [a, b] = [secrets.get(first.id), secrets.get(second.id)]
    if (a === undefined || b === undefined) throw new Error('both are stored')
    const encrypted = a.encryptedSecret
    a.encryptedSecret = b.encryptedSecret
    b.encryptedSecret = encrypted
  })

  const { ingestionTokens } = await catalog.reopen()
  t.throws(() => ingestionTokens.secret(first.id), { message: /cannot be decrypted/ })
  t.throws(() => ingestionTokens.secret(second.id), { message: /cannot be decrypted/ })
  t.equal(ingestionTokens.find(first.token)?.id, first.id)
})

t.test('a ciphertext of which any byte was changed or cut is refused', async t => {
  const catalog = await openTestCatalog(t, t.testdir())
  const { id, token } = await catalog.ingestionTokens.create(api)
  await catalog.close()
  const refusesAfter = async (change: (encrypted: Uint8Array) => Uint8Array) => {
    let original = new Uint8Array()
    await tamper(catalog.dataDir, secrets => {
      original = Uint8Array.from(secrets.get(id)?.encryptedSecret ?? [])
      secrets.set(id, { ...secrets.get(id), encryptedSecret: change(Buffer.from(original)) })
    })
    const tampered = await catalog.reopen()
    t.throws(() => tampered.ingestionTokens.secret(id), { message: /cannot be decrypted/ })
    await tampered.close()
    await tamper(catalog.dataDir, secrets => {
      secrets.set(id, { ...secrets.get(id), encryptedSecret: Buffer.from(original) })
    })
  }
  const flip = (index: number) => (encrypted: Uint8Array) =>
    encrypted.map((byte, at) => (at === index ? byte ^ 1 : byte))

  await refusesAfter(flip(0)) // In the nonce.
  await refusesAfter(flip(20)) // In the ciphertext.
  await refusesAfter(flip(79)) // In the tag.
  await refusesAfter(encrypted => encrypted.subarray(0, -1))
  await refusesAfter(encrypted => encrypted.subarray(0, 27))
  await refusesAfter(encrypted => encrypted.subarray(0, 0))
  const { ingestionTokens } = await catalog.reopen()
  t.equal(ingestionTokens.secret(id), token, 'unchanged, it is shown')
})
