import t, { type Test } from 'tap'
import { readLevel } from '../../src/ingest/level.ts'

const finder =
  (t: Test) => (event: Record<string, unknown>, level: string, field: string | undefined) =>
    t.strictSame(readLevel(event), { level, field }, JSON.stringify(event))

t.test('a known word is used, trimmed and in lower case', async t => {
  const found = finder(t)

  const words =
    'trace debug info notice warn warning error err critical fatal alert emergency panic'
  for (const word of words.split(' ')) {
    found({ level: word }, word, 'level')
    found({ severity: word.toUpperCase() }, word, 'severity')
  }
  found({ level: ' Error\t\n' }, 'error', 'level')
  found({ level: 'wArNiNg' }, 'warning', 'level')
})

t.test("pino's numbers are levels, other numbers are not", async t => {
  const found = finder(t)

  found({ level: 10 }, 'trace', 'level')
  found({ level: 20 }, 'debug', 'level')
  found({ level: 30 }, 'info', 'level')
  found({ level: 40 }, 'warn', 'level')
  found({ level: 50 }, 'error', 'level')
  found({ severity: 60 }, 'fatal', 'severity')
  found({ level: 35 }, 'info', undefined)
  found({ level: 0, debug: 1 }, 'debug', undefined)
  found({ level: '30', debug: 1 }, 'debug', undefined)
})

t.test('the first of level and severity that is a level counts', async t => {
  const found = finder(t)

  found({ severity: 'error', level: 'debug' }, 'debug', 'level')
  found({ level: 'gold', severity: 'ERR' }, 'err', 'severity')
  found({ level: null, severity: 'fatal' }, 'fatal', 'severity')
  found({ level: ['error'], severity: { a: 1 } }, 'info', undefined)
  found({ Level: 'error', SEVERITY: 'error' }, 'info', undefined)
})

t.test('without a level, the presence of certain fields tells it', async t => {
  const found = finder(t)

  found({ error: 'boom' }, 'error', undefined)
  found({ err: { code: 1 } }, 'error', undefined)
  found({ exception: '' }, 'error', undefined)
  found({ stack: 0 }, 'error', undefined)
  found({ warning: true }, 'warn', undefined)
  found({ warn: [] }, 'warn', undefined)
  found({ info: 1 }, 'info', undefined)
  found({ debug: {} }, 'debug', undefined)
  found({ debug: 1, warn: 1, stack: 1 }, 'error', undefined)
  found({ level: 'unheard of', warning: 'low' }, 'warn', undefined)
})

t.test('a field that is null or false does not tell a level', async t => {
  const found = finder(t)

  found({ error: null, warn: false, debug: 1 }, 'debug', undefined)
  found({ error: false }, 'info', undefined)
  found({}, 'info', undefined)
  found({ nested: { level: 'error', error: 1 } }, 'info', undefined)
})
