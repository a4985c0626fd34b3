import t from 'tap'
import { importHelp, importSettings, readImportOptions } from '../../../src/cli/import/options.ts'
import { variables } from '../../../src/config/config.ts'

const token = { LOGSTRATA_TOKEN: 'a-token' }

t.test('an import needs a token and files, or something piped in', async t => {
  t.match(readImportOptions(['a.log', '-'], token, false), {
    url: 'http://127.0.0.1:7007',
    token: 'a-token',
    timestampField: undefined,
    format: 'auto',
    batchBytes: 4 * 1024 ** 2,
    gzip: false,
    json: false,
    quiet: false,
    files: ['a.log', '-'],
  })
  t.same(readImportOptions([], token, false).files, ['-'])
  t.same(readImportOptions(['-'], token, true).files, ['-'], 'typing lines in is possible')
  t.same(readImportOptions(['--gzip', '--', '--odd-name'], token, false).files, ['--odd-name'])
})

t.test('flags win over variables, and the token may stand in a file', async t => {
  const dir = t.testdir({ token: 'of-file\n' })
  const environment = { LOGSTRATA_TOKEN_FILE: `${dir}/token`, LOGSTRATA_URL: 'http://one:1' }
  t.match(readImportOptions([], environment, false), { token: 'of-file', url: 'http://one:1' })
  const argv = [
    '--token',
    'of-flag',
    '--url=https://two/',
    '--format',
    'text',
    '--batch-bytes',
    '1MiB',
  ]
  t.match(readImportOptions(argv, environment, false), {
    token: 'of-flag',
    url: 'https://two',
    format: 'text',
    batchBytes: 1024 ** 2,
  })
})

t.test('what makes no sense is refused', async t => {
  const refuses = (argv: string[], source: string, environment = token, isTerminal = false) =>
    t.throws(() => readImportOptions(argv, environment, isTerminal), {
      name: 'ConfigError',
      source,
    })

  refuses(['a.log'], '--token', { LOGSTRATA_TOKEN: '' })
  refuses([], '', token, true)
  refuses(['-', '-'], '')
  refuses(['--url', 'not a url', 'a.log'], '--url')
  refuses(['--format', 'xml', 'a.log'], '--format')
  refuses(['--batch-bytes', '1', 'a.log'], '--batch-bytes')
  refuses(['--gzip=yes', 'a.log'], '--gzip')
  refuses(['--gz', 'a.log'], '--gz')
  refuses(['--timestamp-field', '', 'a.log'], '--timestamp-field')
  refuses(['--timestamp-field', 'time', '--format', 'text', 'a.log'], '--timestamp-field')
})

t.test('the service’s own variables are no mistake here', async t => {
  const environment = { ...token, ...Object.fromEntries(variables.map(name => [name, ''])) }
  t.ok(readImportOptions(['a'], { ...environment, ...token, LOGSTRATA_PORT: '1' }, false))
})

t.test('the help names every flag and its variable', async t => {
  const help = importHelp()
  for (const { flag, variable } of Object.values(importSettings)) {
    t.ok(help.includes(`--${flag}`), flag)
    t.ok(help.includes(variable ?? ''), variable ?? 'none')
  }
})
