/** GELF by HTTP: what Graylog's own libraries and Fluent Bit send. */

import { Type } from 'typebox'
import { ProblemError } from '../../../problems.ts'
import { problemReply } from '../../reply/reply.ts'
import type { Sender } from './sender.ts'

const message = {
  version: '1.1',
  host: 'web-1',
  short_message: 'payment timed out',
  timestamp: 1795183402.118,
  level: 3,
  _order: 81723,
}

/** GELF has no form of errors: they are problem documents. */
export const gelfMessages: Sender = {
  paths: { sendGelf: '/gelf' },
  contentTypes: undefined,
  format: 'gelf',
  acknowledge({ rejected, errors }) {
    if (rejected === 0) return { status: 202, body: '' }
    const { index, code, detail } = errors[0]!
    const text = `${rejected} messages were refused and the others stored, the first is message ${index}: ${code}: ${detail}`
    return problemReply(new ProblemError('events_unreadable', text))
  },
  about: {
    summary: 'Send a message in GELF 1.1',
    description: `One message, or several in a row. \`short_message\` is the event, \`timestamp\` its time, and \`level\` a number of
syslog's, 0 to 7. Additional fields are attributes without their \`_\`. Any \`Content-Type\` is taken, or none.`,
    body: {
      contents: {
        'application/json': { schema: Type.Unknown({ description: 'GELF.' }), example: message },
      },
    },
    answers: { 202: { description: 'It is stored.' } },
    sample: { body: message },
  },
}
