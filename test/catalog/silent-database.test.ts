import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { CatalogDatabase, catalogFileName } from '../../src/catalog/database.ts'
import { endWithThisProcess } from '../service/end-with-this-process.ts'

const holdWrites = fileURLToPath(new URL('./fixtures/hold-writes.ts', import.meta.url))

t.test('a catalog that gives no answer is told of, and does not hold up the end', async t => {
  const dataDir = t.testdir()
  const told: string[] = []
  const onFatal = ({ message }: Error) => told.push(message)
  const database = await CatalogDatabase.open(dataDir, { answerMs: 2_000, onFatal })
  const names = database.collection<string>('names', 'string')
  await database.write(() => void names.put('a', 'before'))
  t.strictSame(told, [])

  // As after a failure that the thread which writes never got over.
  const holder = spawn(process.execPath, [holdWrites, join(dataDir, catalogFileName)])
  endWithThisProcess(holder)
  t.teardown(() => holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  await t.rejects(
    database.write(() => void names.put('a', 'after')),
    { code: 'catalog_failed', cause: { name: 'LmdbSilent' } },
  )
  t.strictSame(told, ['write the catalog'])
  t.equal(names.get('a'), 'before')
  await database.close()
})
