import t from 'tap'
import {
  ageText,
  deletionText,
  readAge,
  readSize,
  sizeText,
} from '../../../src/web/settings/retention-reading.ts'

t.test('bounds of retention are read as people write them, and written so', async t => {
  t.same(readAge(' 30d '), { value: 30 * 86_400_000 })
  t.same(readAge(''), { value: null })
  t.match(readAge('a month'), { fault: /30d/ })
  t.match(readAge('1s'), { fault: 'from 1m to 100y' })
  t.same(readSize('200 GiB'), { value: 200 * 2 ** 30 })
  t.same(readSize('1.5gib'), { value: 1.5 * 2 ** 30 })
  t.same(readSize(''), { value: null })
  t.match(readSize('much'), { fault: /200GiB/ })
  t.match(readSize('1KiB'), { fault: 'from 1MiB to 1024TiB' })
  for (const bytes of [2 ** 20, 200 * 2 ** 30, 2 ** 30 + 1, 1.5 * 2 ** 40]) {
    t.same(readSize(sizeText(bytes)), { value: bytes }, sizeText(bytes))
  }
  t.same([2 ** 30 + 1, 3 * 2 ** 20].map(sizeText), ['1073741825B', '3MiB'], 'in whole numbers')
  t.equal(sizeText(null), '')
  t.same(readAge(ageText(36 * 3_600_000)), { value: 36 * 3_600_000 })
})

t.test('what would be deleted is told with its days', async t => {
  const deletes = {
    segments: 2,
    records: 1_234,
    bytes: 2 ** 20,
    earliest: Date.UTC(2026, 10, 3, 12),
    latest: Date.UTC(2026, 10, 5, 1),
  }
  t.match(deletionText(deletes, 'utc'), /^1,234 records of .*3.* to .*5.*, 1 MiB$/)
  const one = { ...deletes, records: 1, latest: deletes.earliest }
  t.match(deletionText(one, 'utc'), /^1 record of (?!.* to )/)
  t.equal(deletionText({ ...deletes, records: 0, earliest: null, latest: null }, 'utc'), undefined)
})
