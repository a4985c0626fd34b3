import t, { type Test } from 'tap'
import { readLevel } from '../../src/ingest/level.ts'
import { levels } from '../../src/levels.ts'

/** The level of an event, and the field that is not kept beside it. */
const finder =
  (t: Test) => (event: Record<string, unknown>, level: string, used?: string, holder?: unknown) => {
    const found = readLevel(event)
    const expected = used && { holder: holder ?? event, name: used }
    t.strictSame(found, { level, used: expected || undefined }, JSON.stringify(event))
  }

t.test('a word of ours is used, trimmed and in lower case, and not repeated', async t => {
  const found = finder(t)

  const words =
    'trace debug info notice warn warning error err critical fatal alert emergency panic'
  t.same(levels.map(({ name }) => name).sort(), words.split(' ').sort())
  for (const word of words.split(' ')) {
    found({ level: word }, word, 'level')
    found({ severity: word.toUpperCase() }, word, 'severity')
  }
  found({ level: ' Error\t\n' }, 'error', 'level')
  found({ level: 'wArNiNg' }, 'warning', 'level')
})

t.test('the word of another logger is the nearest of ours, and stays', async t => {
  const found = finder(t)
  const loggers: Record<string, string> = {
    syslog: 'emerg emergency, crit critical',
    java: 'SEVERE error, WARNING warning, CONFIG debug, FINE debug, FINER debug, FINEST trace',
    dotnet: 'Information info, Verbose trace, VRB trace, DBG debug, INF info, WRN warn, FTL fatal',
    go: 'dpanic panic, DPANIC panic, WARN+2 warn, INFO+1 info, DEBUG-4 trace, ERROR+4 fatal, PNC panic',
    python: 'CRITICAL critical, SUCCESS info',
    rust: 'CRIT critical, ERRO error, DEBG debug, TRCE trace',
    winston: 'silly trace, http info, verbose trace',
    otel: 'INFO2 info, TRACE4 trace, FATAL3 fatal, Informational info',
    others: 'note notice, DEBUG5 debug, trace8 trace, W warn, E error, F fatal, D1 debug',
  }
  const ours = new Set(levels.map(({ name }) => name))
  for (const words of Object.values(loggers)) {
    for (const pair of words.split(', ')) {
      const [word, level] = pair.split(' ') as [string, string]
      const isOurs = ours.has(word.toLowerCase())
      for (const text of [word, word.toLowerCase(), ` ${word.toUpperCase()} `]) {
        found({ level: text }, level, isOurs ? 'level' : undefined)
      }
    }
  }
})

t.test('what only looks like a level is none', async t => {
  const found = finder(t)

  for (const level of [
    '',
    ' ',
    'gold',
    'unknown',
    'none',
    'info+',
    'info+100',
    'in fo',
    'x2',
    '+2',
  ]) {
    found({ level, debug: 1 }, 'debug')
  }
  found({ level: `${' '.repeat(100)}error` }, 'info')
  found({ level: ['error'], severity: { a: 1 }, lvl: true, '@l': null }, 'info')
})

t.test("pino's and bunyan's numbers are levels, as text too; one between two stays", async t => {
  const found = finder(t)

  const numbers = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }
  for (const [number, level] of Object.entries(numbers)) {
    found({ level: Number(number) }, level, 'level')
    found({ level: number }, level, 'level')
    found({ severity: Number(number) }, level, 'severity')
  }
  found({ level: 35 }, 'info')
  found({ level: '59' }, 'error')
  for (const level of [0, 3, 9, 61, 100, 400, -30, 30.5]) found({ level, debug: 1 }, 'debug')
  for (const level of ['030', '3e1', '+30', '0x1e']) found({ level, debug: 1 }, 'debug')
})

t.test("syslog's numbers are levels where the field is syslog's, and stay", async t => {
  const found = finder(t)

  const names = 'emergency alert critical error warning notice info debug'.split(' ')
  for (const [number, level] of names.entries()) {
    found({ severity: number }, level)
    found({ PRIORITY: String(number) }, level)
    found({ 'syslog.severity': number }, level)
    found({ syslog: { severity: String(number) } }, level)
  }
  for (const severity of [-1, 8, 9, '8']) found({ severity, debug: 1 }, 'debug')
  found({ level: 3, debug: 1 }, 'debug')
})

t.test('the level stands under any name that senders use, in any case', async t => {
  const found = finder(t)

  const names =
    'level severity lvl loglevel levelname level_name @l severityText severity_text PRIORITY log.level'
  for (const name of names.split(' ')) {
    for (const key of [
      name,
      name.toUpperCase(),
      name.toLowerCase(),
      `${name[0]!.toUpperCase()}${name.slice(1)}`,
    ]) {
      found({ a: 1, [key]: 'WARN' }, 'warn', key)
    }
  }
  found({ LogLevel: 'Error' }, 'error', 'LogLevel')
  const log = { logger: 'x', Level: 'error' }
  found({ log }, 'error', 'Level', log)
  found({ log: { level: 'Severe' } }, 'error')
  found({ log: 'error', syslog: ['severity'], nested: { level: 'error', error: 1 } }, 'info')
  found({ log_level: 'error', levels: 'error' }, 'info')
})

t.test('a status is a level where it is the word of one, and always stays', async t => {
  const found = finder(t)

  found({ status: 'error' }, 'error')
  found({ Status: 'Warning' }, 'warning')
  found({ status: 'crit' }, 'critical')
  for (const status of [
    30,
    '30',
    500,
    'ok',
    'success',
    'fail',
    'failure',
    'e',
    'n',
    'log',
    'http',
  ]) {
    found({ status, debug: 1 }, 'debug')
  }
})

t.test('the first of the fields that is a level counts', async t => {
  const found = finder(t)

  found({ severity: 'error', level: 'debug' }, 'debug', 'level')
  found({ level: 'gold', severity: 'ERR' }, 'err', 'severity')
  found({ level: null, severity: 'fatal' }, 'fatal', 'severity')
  found({ Level: 'error', severity: 'warn', level: 'debug' }, 'debug', 'level')
  found({ LEVEL: 'error', severity: 'warn' }, 'warn', 'severity')
  found({ LEVEL: 'error', Level: 'warn' }, 'error', 'LEVEL')
  found({ status: 'error', lvl: 'info' }, 'info', 'lvl')
  found({ level: 400, level_name: 'ERROR' }, 'error', 'level_name')
})

t.test('without a level, the presence of certain fields tells it', async t => {
  const found = finder(t)

  found({ error: 'boom' }, 'error')
  found({ err: { code: 1 } }, 'error')
  found({ exception: ' ' }, 'error')
  found({ stack: 1 }, 'error')
  found({ warning: true }, 'warn')
  found({ warn: [0] }, 'warn')
  found({ info: 1 }, 'info')
  found({ debug: { a: null } }, 'debug')
  found({ debug: 1, warn: 1, stack: 1 }, 'error')
  found({ level: 'unheard of', warning: 'low' }, 'warn')
})

t.test('a field that says nothing does not tell a level', async t => {
  const found = finder(t)

  for (const nothing of [null, false, 0, -0, '', [], {}]) {
    for (const field of ['error', 'err', 'exception', 'stack', 'warn', 'warning']) {
      found({ [field]: nothing, debug: 1 }, 'debug')
    }
  }
  found({}, 'info')
  found({ nested: { error: 1 } }, 'info')
})
