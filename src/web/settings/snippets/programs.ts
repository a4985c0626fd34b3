/** Snippets for a shell and for programs: test/web/settings/snippets.test.ts runs each as it is pasted. */

import { batchPath, onePath, type Snippet, type SnippetFacts } from './snippet.ts'

export function curl({ origin, token }: SnippetFacts): Snippet {
  return {
    id: 'curl',
    name: 'curl',
    intro: 'Sends one event: the quickest way to check that it works. Any JSON is an event.',
    blocks: {
      Shell: `curl ${origin}${onePath} \\
  -H 'Authorization: Bearer ${token}' \\
  -H 'Content-Type: application/json' \\
  -d '{"level":"info","message":"hello from curl","order":81723}'
`,
    },
  }
}

export function pino(facts: SnippetFacts): Snippet {
  return {
    id: 'pino',
    name: 'Node: pino',
    intro: `Each record keeps the time that pino gave it. ${ofLines}`,
    blocks: {
      'logger.mjs, after npm install pino': `import { Writable } from 'node:stream'
import { pino } from 'pino'

${linesTo(facts, 'time')}
export const logger = pino(lines)
logger.info({ order: 81723 }, 'hello from pino')
`,
    },
  }
}

export function winston(facts: SnippetFacts): Snippet {
  return {
    id: 'winston',
    name: 'Node: winston',
    intro: `Each record keeps the time that winston gave it. ${ofLines}`,
    blocks: {
      'logger.mjs, after npm install winston': `import { Writable } from 'node:stream'
import winston from 'winston'

${linesTo(facts, 'timestamp')}
const { combine, json, timestamp } = winston.format
export const logger = winston.createLogger({
  format: combine(timestamp(), json()),
  transports: [new winston.transports.Stream({ stream: lines })],
})
logger.info('hello from winston', { order: 81723 })
`,
    },
  }
}

const ofLines =
  'What is logged while a request is under way goes together in the next one. What could not be sent is sent again until it is taken; until then it is in memory.'

/** A stream that takes lines of JSON, for loggers that write to one. */
function linesTo({ origin, token }: SnippetFacts, timeField: string): string {
  return `const url = '${origin}${batchPath}?timestamp_field=${timeField}'
const headers = {
  Authorization: 'Bearer ${token}',
  'Content-Type': 'application/x-ndjson',
}

async function send(body, done) {
  for (let waitMs = 500; ; waitMs = Math.min(2 * waitMs, 30_000)) {
    try {
      const answer = await fetch(url, { method: 'POST', headers, body })
      const text = await answer.text()
      if (answer.ok) break
      console.error('logs were refused:', answer.status, text)
      if ([400, 413, 415].includes(answer.status)) break // They never will be taken.
    } catch (error) {
      console.error('logs were not sent, and will be sent again:', error)
    }
    await new Promise(resolve => setTimeout(resolve, waitMs))
  }
  done()
}

const lines = new Writable({
  decodeStrings: false,
  writev: (waiting, done) => send(waiting.map(({ chunk }) => chunk).join(''), done),
})
`
}

export function python({ origin, token }: SnippetFacts): Snippet {
  return {
    id: 'python',
    name: 'Python',
    intro:
      'A handler for logging that needs nothing but the standard library. A thread of its own sends, so logging never waits for the network. What could not be sent is sent again until it is taken; until then it is in memory, and the program does not end.',
    blocks: {
      'logs.py': `import atexit
import json
import logging
import logging.handlers
import queue
import time
import urllib.error
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
        request = urllib.request.Request(URL, body, headers)
        wait = 0.5
        while True:
            try:
                urllib.request.urlopen(request, timeout=10).close()
                return
            except OSError as error:
                self.handleError(record)
                if getattr(error, "code", None) in (400, 413, 415):
                    return  # It never will be taken.
            time.sleep(wait)
            wait = min(2 * wait, 30)


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
  }
}

export function webhook({ origin, token }: SnippetFacts): Snippet {
  return {
    id: 'webhook',
    name: 'Webhook',
    intro:
      'For whatever sends JSON to an address that you give it. It must be able to send a header: where it cannot, a small proxy that adds it has to stand in between.',
    blocks: {
      'URL, for the method POST': `${origin}${onePath}\n`,
      Headers: `Authorization: Bearer ${token}\nContent-Type: application/json\n`,
      'Body: any JSON, such as': `{"level":"info","message":"hello from a webhook","source":{"name":"shop"}}\n`,
    },
  }
}
