import t from 'tap'
import {
  answerInsteadOfStarting,
  clientSettings,
  helpText,
  readConfig,
  serviceSettings,
  variables,
} from '../../src/config/config.ts'
import type { Setting } from '../../src/config/settings.ts'

const mib = 1024 ** 2

t.test('a service without settings gets the defaults of the contract', async t => {
  const config = readConfig([], {})
  t.match(config, {
    host: '127.0.0.1',
    port: 7007,
    dataDir: './data',
    adminKey: undefined,
    durability: 'disk',
    eventBytesMax: mib,
    batchBytesMax: 64 * mib,
    pendingBytesMax: 256 * mib,
    journalFileBytes: 32 * mib,
    journalFileRecords: 2 ** 19,
    journalFileAgeMs: 300_000,
    queryTimeoutMs: 30_000,
    concurrentQueriesMax: 16,
    metricsAccess: 'open',
    warmUp: 'on',
    selfLog: false,
    demo: false,
    logLevel: 'info',
  })
  t.ok(config.scanThreads >= 1 && config.scanThreads <= 8)
  t.ok(config.ingestThreads >= 1 && config.ingestThreads <= 4)
})

t.test('every default is a value that its own setting allows', async t => {
  for (const { flag, kind, fallback } of Object.values<Setting<unknown>>(serviceSettings)) {
    if (fallback !== undefined) {
      t.equal(kind.read(kind.print(fallback)), fallback, flag)
    }
  }
})

t.test('every setting can be given as a flag and as a variable of the same name', async t => {
  for (const { flag, variable } of [
    ...Object.values(serviceSettings),
    ...Object.values(clientSettings),
  ]) {
    t.equal(variable, `LOGSTRATA_${flag.toUpperCase().replaceAll('-', '_')}`)
    t.ok(variables.includes(variable!), `${variable} is known to all commands`)
  }
})

t.test('a flag wins over its variable, the variable over the default', async t => {
  const reads = (argv: string[], port: string | undefined, expected: number) =>
    t.equal(readConfig(argv, { LOGSTRATA_PORT: port }).port, expected)

  reads([], undefined, 7007)
  reads([], '', 7007)
  reads([], '8080', 8080)
  reads(['--port', '9090'], '8080', 9090)
  reads(['--port=0'], '8080', 0)
  reads(['--port', '1', '--port', '2'], undefined, 2)
})

t.test('a switch is on by its flag, and by a variable that says so', async t => {
  const reads = (argv: string[], variable: string | undefined, expected: boolean) =>
    t.equal(readConfig(argv, { LOGSTRATA_DEMO: variable }).demo, expected, `${argv} ${variable}`)

  reads([], undefined, false)
  reads([], '', false)
  reads(['--demo'], undefined, true)
  reads(['--demo'], 'off', true)
  reads([], 'on', true)
  reads([], 'TRUE', true)
  reads([], '1', true)
  reads([], 'off', false)
  reads([], '0', false)
})

t.test('values are read with their units', async t => {
  const config = readConfig(
    ['--max-event-bytes', '2MiB', '--journal-file-age=2m', '--query-timeout', '1500ms'],
    {
      LOGSTRATA_DURABILITY: 'written',
      LOGSTRATA_ADMIN_KEY: 'sixteen-letters!',
      LOGSTRATA_LOG_LEVEL: 'warn',
    },
  )
  t.match(config, {
    eventBytesMax: 2 * mib,
    journalFileAgeMs: 120_000,
    queryTimeoutMs: 1500,
    durability: 'written',
    adminKey: 'sixteen-letters!',
    logLevel: 'warn',
  })
})

t.test('a wrong setting is refused, with its source, its value and what is expected', async t => {
  const refuses = (
    argv: string[],
    environment: Record<string, string>,
    source: string,
    ...named: RegExp[]
  ) => {
    const error = t.throws(() => readConfig(argv, environment), { name: 'ConfigError', source })
    for (const pattern of named) {
      t.match(error, { message: pattern })
    }
  }

  refuses(['--port', '70000'], {}, '--port', /"70000"/, /from 0 to 65535/)
  refuses(['--port', '80x'], {}, '--port')
  refuses(['--port', '-1'], {}, '--port')
  refuses([], { LOGSTRATA_PORT: 'http' }, 'LOGSTRATA_PORT', /"http"/)
  refuses(['--data-dir='], {}, '--data-dir')
  refuses(['--durability', 'maybe'], {}, '--durability', /disk, written/)
  refuses(['--journal-file-age', '60'], {}, '--journal-file-age', /60s/)
  refuses(['--max-event-bytes', '1 parsec'], {}, '--max-event-bytes', /MiB/)
  refuses(['--scan-threads', '0'], {}, '--scan-threads')
  refuses(['--log-level', 'loud'], {}, '--log-level')
  refuses(['--prot', '80'], {}, '--prot', /did you mean --port\?/)
  refuses(['-port', '80'], {}, '-port', /did you mean --port\?/)
  refuses(['--max-event', '80'], {}, '--max-event', /did you mean --max-event-bytes\?/)
  refuses([], { LOGSTRATA_PROT: '80' }, 'LOGSTRATA_PROT', /did you mean LOGSTRATA_PORT\?/)
  refuses(['--demo=yes'], {}, '--demo', /no value/)
  refuses([], { LOGSTRATA_DEMO: 'please' }, 'LOGSTRATA_DEMO', /on or off/)
  refuses(['--port'], {}, '--port', /needs a value/)
  refuses(['--port', '--host', 'x'], {}, '--port', /needs a value/)
  refuses(['data'], {}, '', /"data"/)
})

t.test('limits that contradict one another are refused, with both named', async t => {
  t.throws(() => readConfig(['--max-pending-bytes', '1MiB'], {}), {
    source: '--max-pending-bytes',
    message: /--max-batch-bytes 64MiB \(default\).*--max-pending-bytes 1MiB/,
  })
  t.throws(() => readConfig([], { LOGSTRATA_MAX_EVENT_BYTES: '65MiB' }), {
    name: 'ConfigError',
    source: 'LOGSTRATA_MAX_EVENT_BYTES',
  })
  t.equal(readConfig(['--max-event-bytes', '64MiB'], {}).eventBytesMax, 64 * mib)
})

t.test('variables of the client commands are no mistake for the service', async t => {
  const environment = { LOGSTRATA_URL: 'http://x', LOGSTRATA_TOKEN: 'a', LOGSTRATA_TOKEN_FILE: 'b' }
  t.equal(readConfig([], environment).port, 7007)
})

const chosen = 'the-key-of-a-flag'

t.test('the admin key may come from a file', async t => {
  const dir = t.testdir({
    key: 'a-key-from-a-file\n',
    empty: '',
    short: 'fifteen-letters\n',
    wide: 'two words of a key',
  })
  t.equal(readConfig(['--admin-key-file', `${dir}/key`], {}).adminKey, 'a-key-from-a-file')
  t.equal(readConfig([], { LOGSTRATA_ADMIN_KEY_FILE: `${dir}/key` }).adminKey, 'a-key-from-a-file')
  t.equal(
    readConfig(['--admin-key', chosen], { LOGSTRATA_ADMIN_KEY_FILE: `${dir}/key` }).adminKey,
    chosen,
  )

  const refuses = (argv: string[], environment: Record<string, string>, source: string) =>
    t.throws(() => readConfig(argv, environment), { name: 'ConfigError', source })
  refuses(['--admin-key-file', `${dir}/none`], {}, '--admin-key-file')
  refuses(['--admin-key-file', `${dir}/empty`], {}, '--admin-key-file')
  refuses(['--admin-key-file', `${dir}/short`], {}, '--admin-key-file')
  refuses([], { LOGSTRATA_ADMIN_KEY_FILE: `${dir}/wide` }, 'LOGSTRATA_ADMIN_KEY_FILE')
  refuses(['--admin-key', chosen, '--admin-key-file', `${dir}/key`], {}, '--admin-key')
  refuses(
    [],
    { LOGSTRATA_ADMIN_KEY: chosen, LOGSTRATA_ADMIN_KEY_FILE: `${dir}/key` },
    'LOGSTRATA_ADMIN_KEY',
  )
})

t.test('an admin key that is too short is refused, an ingestion token is not', async t => {
  const refuses = (text: string) =>
    t.throws(() => readConfig(['--admin-key', text], {}), {
      name: 'ConfigError',
      source: '--admin-key',
      message: /expected 16 to 512 /,
    })

  refuses('a')
  refuses('fifteen-letters')
  refuses('x'.repeat(513))
  t.equal(readConfig(['--admin-key', 'sixteen-letters!'], {}).adminKey, 'sixteen-letters!')
  t.equal(readConfig(['--admin-key', 'x'.repeat(512)], {}).adminKey?.length, 512)
  t.equal(clientSettings.token.kind.read('a'), 'a')
})

t.test('a secret never shows in an error or in the printed settings', async t => {
  const bad = t.throws(() => readConfig(['--admin-key', 'two words of a key'], {}))
  t.notMatch(bad, { message: /two words/ })
  const printed = answerInsteadOfStarting(
    ['--print-config', '--admin-key', 'a-hidden-admin-key'],
    {},
  )
  t.notMatch(printed, /a-hidden-admin-key/)
  t.match(printed, /--admin-key +\*+ +--admin-key$/m)
})

t.test('--print-config shows each value and where it came from', async t => {
  const printed = answerInsteadOfStarting(['--print-config', '--port', '80'], {
    LOGSTRATA_HOST: '0.0.0.0',
  })
  t.match(printed, /^--host +0\.0\.0\.0 +LOGSTRATA_HOST$/m)
  t.match(printed, /^--port +80 +--port$/m)
  t.match(printed, /^--max-event-bytes +1MiB +default$/m)
  t.equal(printed?.split('\n').length, Object.keys(serviceSettings).length)
  t.throws(() => answerInsteadOfStarting(['--print-config', '--port', 'x'], {}), {
    name: 'ConfigError',
    source: '--port',
  })
})

t.test('--help and --version answer whatever else is wrong, and nothing else does', async t => {
  t.equal(answerInsteadOfStarting(['--prot', '1', '--help'], { LOGSTRATA_X: '1' }), helpText())
  t.equal(answerInsteadOfStarting(['-h'], {}), helpText())
  t.match(answerInsteadOfStarting(['--version'], {}), /^\d+\.\d+\.\d+/)
  t.equal(answerInsteadOfStarting(['--port', '80'], {}), undefined)
})

t.test('the help names every setting, and fits a page', async t => {
  const help = helpText()
  for (const { flag, variable } of Object.values(serviceSettings)) {
    t.ok(help.includes(`--${flag}`), flag)
    t.ok(help.includes(variable!), variable!)
  }
  t.same(
    help.split('\n').filter(line => line.length > 100),
    [],
  )
})

t.test('on ClickHouse half as many threads search, unless somebody says how many', async t => {
  const { scanThreads } = readConfig([], {})
  const onClickHouse = ['--store', 'clickhouse', '--clickhouse-url', 'http://127.0.0.1:8123/logs']
  t.equal(readConfig(onClickHouse, {}).scanThreads, Math.ceil(scanThreads / 2))
  t.equal(readConfig([...onClickHouse, '--scan-threads', '8'], {}).scanThreads, 8)
  t.equal(readConfig(onClickHouse, { LOGSTRATA_SCAN_THREADS: '5' }).scanThreads, 5)
})
