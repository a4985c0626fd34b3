import t from 'tap'
import { agoText } from '../../../src/web/settings/ago.ts'

t.test('a time is told by how long ago it was, in the largest unit', async t => {
  const now = 1_700_000_000_000
  const tells = (ms: number, text: string) => t.equal(agoText(now - ms, now), text)
  tells(0, 'just now')
  tells(999, 'just now')
  tells(1_000, '1 s ago')
  tells(59_999, '59 s ago')
  tells(60_000, '1 min ago')
  tells(3_599_999, '59 min ago')
  tells(3_600_000, '1 h ago')
  tells(86_399_999, '23 h ago')
  tells(86_400_000, '1 d ago')
  tells(1_234 * 86_400_000, '1,234 d ago')
  tells(-5_000, 'just now')
})
