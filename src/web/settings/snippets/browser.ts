/** The snippet for a token of pages in a browser, which is of no use to others. */

import { batchPath, type Snippet, type SnippetFacts } from './snippet.ts'

export function browser({ origin, token, page = 'https://shop.example' }: SnippetFacts): Snippet {
  return {
    id: 'browser',
    name: 'A page in a browser',
    intro:
      'Errors of a page, and what it logs, go together every second; what is left when the page is closed goes by sendBeacon. What cannot be sent is lost. The service must know the page’s origin.',
    blocks: {
      'The service: start it with': `--cors-origins ${page}\n`,
      'logs.js: include it in the page': `const token = '${token}'
let waiting = []

export function log(level, message, fields = {}) {
  const event = { level, message, time: Date.now(), page: location.href, ...fields }
  if (waiting.length < 1000) waiting.push(event)
}

async function send() {
  if (waiting.length === 0) return
  const body = JSON.stringify(waiting)
  waiting = []
  await fetch('${origin}${batchPath}?timestamp_field=time', {
    method: 'POST',
    headers: { Authorization: 'Bearer ' + token, 'Content-Type': 'application/json' },
    body,
  }).catch(() => {})
}

setInterval(send, 1000)
addEventListener('error', event => log('error', event.message, { stack: event.error?.stack }))
addEventListener('unhandledrejection', event => log('error', String(event.reason)))
addEventListener('pagehide', () => {
  // A beacon has no headers: the token may stand in the address because it is one for pages.
  const address = '${origin}${batchPath}?timestamp_field=time&token=' + token
  if (waiting.length > 0) navigator.sendBeacon(address, JSON.stringify(waiting))
  waiting = []
})
`,
    },
  }
}
