/**
 * What a receiver is sent to try it: an alert that has ended already, so that nothing stays of it
 * anywhere.
 */
import type { Timestamp } from '../../record.ts'
import type { Notice } from './notice.ts'

export function testNotice(id: string, now: Timestamp): Notice {
  const name = 'Test of Logstrata'
  return {
    id,
    key: `msg_${id.replaceAll('-', '')}`,
    createdAt: now,
    waiting: [],
    content: {
      kind: 'alerts',
      rule: {
        id: 'test',
        name,
        query: 'logs',
        message: 'This is a test: alerts arrive here. {{link}}',
        windowMs: 60_000,
        delayMs: 0,
      },
      count: 0,
      alerts: [{ status: 'resolved', labels: { alertname: name }, startsAt: now, endsAt: now }],
    },
  }
}
