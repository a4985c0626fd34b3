import t from 'tap'
import { parseSingle } from '../../../src/language/grammar.ts'
import { recordsHref } from '../../../src/web/settings/token-records.ts'
import { resolveRange } from '../../../src/web/time/range.ts'

const now = 1_700_000_000_000

function read(href: string): URLSearchParams {
  return new URL(href, 'http://a').searchParams
}

t.test('the records of a token are those of its names, whatever these are', async t => {
  for (const name of ['checkout', 'my "shop"', 'a\\b', 'ü & co', '{},', '$x']) {
    const asked = read(recordsHref({ serviceName: name, environment: name, lastUsedAt: 1 }, now))
    const { selector } = parseSingle(asked.get('query')!)
    t.match(selector.matchers, [
      { label: 'service.name', operator: '=', value: name },
      { label: 'environment', operator: '=', value: name },
    ])
  }
})

t.test('the range reaches back to when the token was last used', async t => {
  const sender = { serviceName: 'a', environment: 'b' }
  const reaches = (ago: number | undefined, from: string) => {
    const lastUsedAt = ago === undefined ? null : now - ago
    const asked = read(recordsHref({ ...sender, lastUsedAt }, now))
    t.equal(asked.get('from'), from)
    const range = { from, to: asked.get('to')! }
    const times = resolveRange(range, { now, zone: 'utc' })
    t.ok(times.ok && times.startTime <= now - (ago ?? 0) && times.endTime >= now)
  }
  reaches(undefined, 'now-15m')
  reaches(5_000, 'now-15m')
  reaches(16 * 60_000, 'now-1h')
  reaches(3_600_000, 'now-24h')
  reaches(2 * 86_400_000, 'now-7d')
  reaches(100 * 86_400_000, 'now-365d')
})
