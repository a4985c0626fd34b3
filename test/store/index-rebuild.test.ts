import fs from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { everyRecord, type Selector } from '../../src/language/ast.ts'
import type { LocalStore } from '../../src/store/local-store.ts'
import { neverAborted, openStoreIn } from './store-in.ts'

const services = ['checkout', 'search', 'mail']
const smallFiles = ['--journal-file-bytes', '4KiB']

/** Appends records of several streams, days and levels, and seals them. */
async function fill(dataDir: string, from: number, to: number): Promise<void> {
  const store = await openStoreIn(dataDir, { flags: smallFiles })
  for (let i = from; i < to; i++) {
    const level = i % 4 ? 'info' : 'error'
    const timestamp = (i % 3) * 86_400_000 + i
    const record = { timestamp, level, message: `event ${i}`, attributes: ['n', `${i}`] }
    await store.append(record, { service: services[i % 3]!, environment: 'prod' })
    if (i % 40 === 39) await store.settle()
  }
  await store.settle()
  await store.close()
}

const queries: { selector: Selector; by?: string[] }[] = [
  { selector: everyRecord },
  { selector: { ...everyRecord, filters: [{ operator: '|=', text: '7' }] } },
  {
    selector: {
      ...everyRecord,
      matchers: [{ label: 'log_level', operator: '=', value: 'error' }],
    },
  },
  { selector: everyRecord, by: ['service.name'] },
]

async function answersOf(store: LocalStore): Promise<unknown[]> {
  const answers: unknown[] = []
  for (const query of queries) {
    for (const order of ['asc', 'desc'] as const) {
      const range = { startTime: 5, endTime: 2 * 86_400_000 + 50, limit: 20 }
      const request = { ...query, ...range, order, cursor: undefined }
      const { stats: _, groups, ...answer } = await store.select(request, neverAborted)
      // The order of groups that count the same is not promised.
      const sorted = groups?.map(group => JSON.stringify(group)).sort()
      answers.push({ ...answer, groups: sorted })
    }
  }
  return answers
}

t.test('an index that is missing, or not that of the segments, is built again', async t => {
  const whole = t.testdir({ data: {}, other: {} })
  const data = join(whole, 'data')
  const index = join(data, 'index.lmdb')
  await fill(data, 0, 40)
  const stale = fs.readFileSync(index)
  await fill(data, 40, 120)
  await fill(join(whole, 'other'), 0, 30)
  const foreign = fs.readFileSync(join(whole, 'other', 'index.lmdb'))

  const open = async () => {
    const log: Record<string, unknown>[] = []
    const store = await openStoreIn(data, { flags: smallFiles, log })
    const answers = await answersOf(store)
    await store.close()
    return { answers, log: JSON.stringify(log) }
  }
  const before = await open()
  t.notMatch(before.log, /index/, 'nothing is said of an index that is in order')

  const heals = async (what: string, said: RegExp, damage: () => void) => {
    fs.rmSync(`${index}-lock`, { force: true })
    damage()
    const { answers, log } = await open()
    t.same(answers, before.answers, what)
    t.match(log, said, `${what}: it is said`)
  }

  await heals('missing', /added to the index/, () => fs.rmSync(index))
  await heals('stale', /index/, () => fs.writeFileSync(index, stale))
  await heals('of other segments', /index/, () => fs.writeFileSync(index, foreign))
  await heals('empty', /index/, () => fs.writeFileSync(index, ''))
  await heals('cut', /building it anew/, () => fs.truncateSync(index, fs.statSync(index).size >> 1))
  await heals('garbage', /building it anew/, () =>
    fs.writeFileSync(index, Buffer.alloc(50_000, 'garbage')),
  )
  await heals('doubtful: the start before did not survive it', /building it anew/, () =>
    fs.writeFileSync(join(data, 'index.open'), ''),
  )
  const after = await open()
  t.same(after.answers, before.answers)
  t.notMatch(after.log, /index/, 'the next start finds it whole')
})
