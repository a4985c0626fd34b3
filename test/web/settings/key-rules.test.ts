import t from 'tap'
import type { ApiKey } from '../../../src/catalog/api-keys.ts'
import { endOf, isExpired, isLastAdmin } from '../../../src/web/settings/key-rules.ts'

const now = 1_000_000

function key(id: string, role: ApiKey['role'], expiresAt: number | null = null): ApiKey {
  return { id, name: id, role, createdAt: 0, expiresAt }
}

t.test('a key expires at its moment', async t => {
  t.notOk(isExpired(key('a', 'viewer'), now))
  t.notOk(isExpired(key('a', 'viewer', now + 1), now))
  t.ok(isExpired(key('a', 'viewer', now), now))
})

t.test('the last admin is the only one whose key still counts', async t => {
  const [one, other, ended, viewer] = [
    key('one', 'admin'),
    key('other', 'admin', now + 1),
    key('ended', 'admin', now),
    key('viewer', 'viewer'),
  ]
  t.ok(isLastAdmin(one, [one, viewer, ended], now))
  t.notOk(isLastAdmin(one, [one, other], now))
  t.notOk(isLastAdmin(ended, [one, ended], now))
  t.notOk(isLastAdmin(viewer, [one, viewer], now))
})

t.test('a lifetime ends so many days from now, or never', async t => {
  t.equal(endOf('never', now), undefined)
  t.equal(endOf('day', now), now + 86_400_000)
  t.equal(endOf('year', now), now + 365 * 86_400_000)
})
