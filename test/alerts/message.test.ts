import t from 'tap'
import { checkMessage, messageOf } from '../../src/alerts/message.ts'
import { limits } from '../../src/limits.ts'

const facts = {
  name: 'Errors',
  value: 12.3456789,
  count: 2,
  labels: { environment: 'prod', 'service.name': 'shop', text: '{{value}}' },
  query: 'count(logs)',
  link: 'http://x/logs?query=count%28logs%29',
}

t.test('words in braces stand for what is known of an alert', async t => {
  const says = (message: string, text: string) => t.equal(messageOf(message, facts), text, message)
  says('{{name}}: {{ value }} in {{labels.environment}}', 'Errors: 12.3457 in prod')
  says('{{count}} of {{query}} at {{link}}', `2 of count(logs) at ${facts.link}`)
  says('{{labels.service.name}}{{labels.missing}}!', 'shop!')
  says('{{labels.text}}', '{{value}}')
  says('plain { } }} {{', 'plain { } }} {{')
  says('', '')
  t.equal(messageOf('{{value}}', { ...facts, value: undefined }), 'no data')
  t.equal(messageOf('{{value}}', { ...facts, value: 1e21 }), '1e+21')
  t.equal(messageOf('{{value}}', { ...facts, value: 0.1 + 0.2 }), '0.3')
})

t.test('a word that means nothing is refused by its name', async t => {
  for (const message of ['{{valeu}}', 'a {{}} b', '{{labels}}', '{{constructor}}']) {
    t.throws(() => checkMessage(message, 'message'), {
      code: 'field_invalid',
      extras: { field: 'message' },
    })
  }
  t.doesNotThrow(() => checkMessage('{{labels.a b}} {{name}}', 'message'))
})

t.test('a text that would be endless is cut', async t => {
  const { alertTextLengthMax, alertMessageLengthMax } = limits
  const labels = { a: 'x'.repeat(limits.alertLabelLengthMax) }
  const message = '{{labels.a}}'.repeat(alertMessageLengthMax / 12)
  const text = messageOf(message, { ...facts, labels })
  t.equal(text.length, alertTextLengthMax + 1)
  t.match(text, /x…$/)
})
