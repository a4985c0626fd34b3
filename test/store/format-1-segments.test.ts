/** A store that finds segments of format 1: they are answered from as all others, and merged into format 3. */
import fs from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { describeSegment } from '../../src/cli/inspect/segment.ts'
import type { Selector } from '../../src/language/ast.ts'
import { listSegments, segmentPath } from '../../src/segment/files.ts'
import type { LocalStore } from '../../src/store/local-store.ts'
import { recordsOfSample, samples } from '../format/sample-records.ts'
import { matchesPlainly } from '../query/plain.ts'
import { toFormat1 } from '../segment/other-formats.ts'
import { type StreamRecord, sealRecords } from '../segment/sealed.ts'
import { neverAborted, openStoreOf } from './store-in.ts'

const day = '2026-11-20'
const noon = Date.UTC(2026, 10, 20, 12)
const stream = { service: 'checkout', environment: 'prod' }
const allTimes = { startTime: -8.64e15, endTime: 8.64e15 }

function records(first: number, count: number): StreamRecord[] {
  return Array.from({ length: count }, (_, n) => {
    const i = first + n
    const message = i % 3 === 0 ? `session of user-${i} opened` : `order ${i} paid in ${i % 90} ms`
    const attributes = ['region', 'eu', ...(i % 5 === 0 ? ['retry', `${i % 7}`] : [])]
    return { stream, timestamp: noon + i * 10, level: 'info', message, attributes }
  })
}

function selecting(filters: Selector['filters'], matchers: Selector['matchers'] = []): Selector {
  return { kind: 'selector', matchers, filters }
}

const questions = [
  selecting([]),
  selecting([{ operator: '|=', text: ' paid in ' }]),
  selecting([{ operator: '|=', text: 'user-17' }]),
  selecting([{ operator: '!=', text: 'session' }]),
  selecting([{ operator: '|~', text: 'user-\\d*3 ' }]),
  selecting([{ operator: '|=', text: 'kubelet' }]),
  selecting([], [{ label: 'retry', operator: '=', value: '3' }]),
  selecting([], [{ label: 'retry', operator: '=', value: '' }]),
]

async function answersRightly(t: Test, store: LocalStore, all: readonly StreamRecord[]) {
  const wrong: unknown[] = []
  for (const selector of questions) {
    const matching = all
      .filter(record => matchesPlainly(selector, record, record.stream))
      .sort((a, b) => a.timestamp - b.timestamp)
    for (const limit of [0, 5]) {
      const asked = { selector, ...allTimes, limit, order: 'asc', cursor: undefined } as const
      const { count, records } = await store.select(asked, neverAborted)
      const found = records.map(({ message }) => message)
      const expected = matching.slice(0, limit).map(({ message }) => message)
      const isRight = count === matching.length && found.join('\n') === expected.join('\n')
      if (!isRight) wrong.push({ selector, limit, count, expected: matching.length, found })
    }
  }
  t.same(wrong, [])
}

function formatsIn(dataDir: string): (number | null)[] {
  return listSegments(join(dataDir, 'segments')).map(({ path }) => describeSegment(path).format)
}

t.test('a segment of format 1 among those of format 3 is answered from', async t => {
  const dataDir = t.testdir()
  const path = segmentPath(join(dataDir, 'segments'), day, 42)
  fs.mkdirSync(dirname(path), { recursive: true })
  fs.copyFileSync(join(samples, 'v1.seg'), path)
  const all = recordsOfSample('v1.seg')
  const store = await openStoreOf(t, dataDir)
  await answersRightly(t, store, all)
  for (const { stream, ...record } of records(0, 40)) {
    all.push({ stream, ...record })
    await store.append(record, stream)
  }
  await answersRightly(t, store, all)
  await store.settle()
  t.same(formatsIn(dataDir).sort(), [1, 3])
  await answersRightly(t, store, all)
})

t.test('segments of both formats are merged into one of format 3', async t => {
  const dataDir = t.testdir()
  const all: StreamRecord[] = []
  for (const number of [1, 2, 3, 4]) {
    const own = records(all.length, 60)
    const path = segmentPath(join(dataDir, 'segments'), day, number)
    const replaces = { journals: [number], segments: [] }
    sealRecords(path, number, [own], { createdAt: noon, replaces, group: [number] })
    if (number !== 2) toFormat1(path)
    all.push(...own)
  }
  t.same(formatsIn(dataDir), [1, 3, 1, 1])
  const store = await openStoreOf(t, dataDir)
  await answersRightly(t, store, all)
  await store.settle()
  t.same(formatsIn(dataDir), [3])
  t.match(store.stats(), { compactions: 1, segmentRecords: all.length, segmentFiles: 1 })
  await answersRightly(t, store, all)
})
