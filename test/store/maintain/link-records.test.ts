import fs from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { LocalStore } from '../../../src/store/local-store.ts'
import { checkout, plainRecord } from '../../journal/records.ts'
import { longRow } from '../../long-runs.ts'
import { allRecords, neverAborted, openStoreIn, openStoreOf } from '../store-in.ts'

const rounds = 25
const flags = ['--journal-file-bytes', '4KiB']

/** The messages of all records, sorted. */
async function messagesOf(store: LocalStore): Promise<string[]> {
  const { records, count } = await store.select({ ...allRecords, limit: 1_000_000 }, neverAborted)
  if (count !== records.length) throw new Error(`count is ${count}, records ${records.length}`)
  return records.map(({ message }) => message).sort()
}

t.test('links hold each record once, whatever is sealed and compacted meanwhile', async t => {
  const root = t.testdir()
  const store = await openStoreOf(t, join(root, 'data'), { flags })
  const sent: string[] = []
  const append = (count: number) =>
    Promise.all(
      Array.from({ length: count }, () => {
        const message = `record ${sent.length} of the store`
        sent.push(message)
        return store.append(plainRecord(message), checkout)
      }),
    )
  const copies: { readonly directory: string; readonly acknowledged: string[]; sent: string[] }[] =
    []
  for (let round = 0; round < rounds; round++) {
    await append(60)
    const settling = store.settle()
    const appending = append(60)
    for (let turn = 0; turn < (round * 7) % 40; turn++) await new Promise(setImmediate)
    const acknowledged = sent.slice(0, -60)
    const directory = join(root, `copy-${round}`)
    for (const part of ['journal', 'segments']) {
      fs.mkdirSync(join(directory, part), { recursive: true })
    }
    await store.linkInto(directory)
    copies.push({ directory, acknowledged, sent: [...sent] })
    await settling
    await appending
  }
  t.ok(store.stats().compactions > 0, 'there was compaction')
  t.ok(store.stats().sealedRecords > 1_000)

  for (const { directory, acknowledged, sent } of longRow(copies)) {
    const copy = await openStoreIn(directory, { flags })
    const found = await messagesOf(copy)
    await copy.close()
    const isKnown = new Set(found)
    t.equal(isKnown.size, found.length, `${directory}: none twice`)
    t.same(
      acknowledged.filter(message => !isKnown.has(message)),
      [],
      `${directory}: none of ${acknowledged.length} lost`,
    )
    const all = new Set(sent)
    t.ok(found.every(message => all.has(message)))
  }
})

t.test('what is linked never changes, though appends go on', async t => {
  const root = t.testdir({ copy: { journal: {}, segments: {} } })
  const store = await openStoreOf(t, join(root, 'data'), { flags: [] })
  await store.append(plainRecord('before'), checkout)
  await store.linkInto(join(root, 'copy'))
  const path = join(root, 'copy', 'journal', '00000001.log')
  const linked = fs.readFileSync(path)
  await store.append(plainRecord('after'), checkout)
  t.same(fs.readFileSync(path), linked)
})

t.test('a failure to link holds nothing back', async t => {
  const root = t.testdir({ copy: { journal: {}, segments: {} } })
  const store = await openStoreOf(t, join(root, 'data'))
  await store.linkInto(join(root, 'copy'))
  t.same(fs.readdirSync(join(root, 'copy', 'journal')), [], 'there was nothing')
  await store.append(plainRecord('a'), checkout)
  await t.rejects(store.linkInto(join(root, 'nowhere')), { code: 'ENOENT' })
  await store.settle()
  t.equal(store.stats().unsealedFiles, 0)
})
