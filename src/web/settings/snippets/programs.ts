/** Snippets for a shell and for programs: test/web/settings/snippets.test.ts runs each as it is pasted. */

import { manyPath, onePath, partsOf, type Snippet, type SnippetFacts } from './snippet.ts'

export function curl({ origin, token }: SnippetFacts): Snippet {
  return {
    id: 'curl',
    name: 'curl',
    intro: 'Sends one event: the quickest way to see whether all is well. Any JSON is an event.',
    blocks: [
      {
        title: 'Shell',
        text: `curl ${origin}${onePath} \\
  -H 'Authorization: Bearer ${token}' \\
  -H 'Content-Type: application/json' \\
  -d '{"level":"info","message":"hello from curl","order":81723}'
`,
      },
    ],
  }
}

export function pino({ origin, token }: SnippetFacts): Snippet {
  return {
    id: 'pino',
    name: 'Node: pino',
    intro:
      'Each record keeps the time that pino gave it. What is logged while a request is under way goes together in the next one.',
    blocks: [
      {
        title: 'logger.mjs, after npm install pino',
        text: `import { Writable } from 'node:stream'
import { pino } from 'pino'

const url = '${origin}${manyPath}?timestamp_field=time'
const headers = {
  Authorization: 'Bearer ${token}',
  'Content-Type': 'application/x-ndjson',
}

async function send(body, done) {
  try {
    const answer = await fetch(url, { method: 'POST', headers, body })
    if (!answer.ok) console.error('logs were refused:', answer.status, await answer.text())
  } catch (error) {
    console.error('logs were not sent:', error)
  }
  done()
}

const lines = new Writable({
  decodeStrings: false,
  writev: (waiting, done) => send(waiting.map(({ chunk }) => chunk).join(''), done),
})

export const logger = pino(lines)
logger.info({ order: 81723 }, 'hello from pino')
`,
      },
    ],
  }
}

export function winston(facts: SnippetFacts): Snippet {
  const { host, port, isSecure } = partsOf(facts)
  return {
    id: 'winston',
    name: 'Node: winston',
    intro: 'With the HTTP transport that comes with winston. The time is that of arrival.',
    blocks: [
      {
        title: 'logger.mjs, after npm install winston',
        text: `import winston from 'winston'

const http = new winston.transports.Http({
  host: '${host}',
  port: ${port},${isSecure ? '\n  ssl: true,' : ''}
  path: '${onePath}',
  headers: { Authorization: 'Bearer ${facts.token}' },
})
http.on('warn', error => console.error('a log was not sent:', error))

export const logger = winston.createLogger({ transports: [http] })
logger.info('hello from winston', { order: 81723 })
`,
      },
    ],
  }
}

export function python({ origin, token }: SnippetFacts): Snippet {
  return {
    id: 'python',
    name: 'Python',
    intro:
      'A handler for logging that needs nothing but the standard library. A thread of its own sends, so logging never waits for the network.',
    blocks: [
      {
        title: 'logs.py',
        text: `import atexit
import json
import logging
import logging.handlers
import queue
import urllib.request

URL = "${origin}${onePath}?timestamp_field=time"
TOKEN = "${token}"


class LogstrataHandler(logging.Handler):
    def emit(self, record):
        event = {
            "time": record.created,
            "level": record.levelname,
            "message": record.getMessage(),
            "logger": record.name,
            **getattr(record, "fields", {}),
        }
        headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
        body = json.dumps(event, default=str).encode()
        try:
            urllib.request.urlopen(urllib.request.Request(URL, body, headers), timeout=5).close()
        except OSError:
            self.handleError(record)


waiting = queue.SimpleQueue()
listener = logging.handlers.QueueListener(waiting, LogstrataHandler())
listener.start()
atexit.register(listener.stop)
root = logging.getLogger()
root.addHandler(logging.handlers.QueueHandler(waiting))
root.setLevel(logging.INFO)

logging.info("hello from Python", extra={"fields": {"order": 81723}})
`,
      },
    ],
  }
}

export function webhook({ origin, token }: SnippetFacts): Snippet {
  return {
    id: 'webhook',
    name: 'Webhook',
    intro:
      'For whatever sends JSON to an address that you give it. It must be able to send a header: where it cannot, a small proxy that adds it has to stand in between.',
    blocks: [
      { title: 'URL, for the method POST', text: `${origin}${onePath}\n` },
      {
        title: 'Headers',
        text: `Authorization: Bearer ${token}\nContent-Type: application/json\n`,
      },
      {
        title: 'Body: any JSON, such as',
        text: `{"level":"info","message":"hello from a webhook","source":{"name":"shop"}}\n`,
      },
    ],
  }
}
