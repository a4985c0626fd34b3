import t from 'tap'
import { run } from './fake-api.ts'
import { fakeTerminal } from './fake-terminal.ts'

// Nothing may be asked before the command line is right: nobody answers at this address.
const environment = { LOGSTRATA_URL: 'http://127.0.0.1:2', LOGSTRATA_KEY: 'the-secret-key' }

t.test('a wrong command line is refused with what is right, before anything is asked', async t => {
  const refuses = async (argv: string[], complaint: RegExp) => {
    const result = await run(argv, fakeTerminal({ environment }))
    t.match(result, { code: 2, printed: '', complained: complaint }, argv.join(' '))
    t.match(result.complained, /\nSee: logstrata .* --help\n$/)
  }

  await refuses(['query'], /name the query/)
  await refuses(['query', 'logs', '|=', 'x'], /"\|=".*single quotes/)
  await refuses(['query', 'logs', '--sicne', '1h'], /unknown flag --sicne; did you mean --since\?/)
  await refuses(['query', 'logs', '--since', '1'], /--since "1": expected a duration/)
  await refuses(['query', 'logs', '--from', 'noon'], /--from "noon": expected a time such as/)
  await refuses(['query', 'logs', '--since=1h', '--from=2h'], /either --since/)
  await refuses(['query', 'logs', '--to=1h'], /--to needs a --from/)
  await refuses(['query', 'logs', '--from=1h', '--to=2h'], /--from must not be after --to/)
  await refuses(['query', 'logs', '--limit', '0'], /--limit "0": expected a whole number from 1/)
  await refuses(['query', 'logs', '--order', 'up'], /one of asc, desc/)
  await refuses(['query', 'logs', '--all', '--limit', '5'], /not both/)
  await refuses(['query', 'logs', '--histogram', '--all'], /--histogram prints no records/)
  await refuses(['query', 'count(logs)', '--step', '1m', '--limit', '5'], /--step prints no/)
  await refuses(['query', 'logs', '--json=yes'], /--json takes no value/)
  await refuses(['tail', 'logs', '--last', '1001'], /from 0 to 1000/)
  await refuses(['tail', 'logs', 'more'], /"more"/)
  await refuses(['export', 'logs'], /say which time/)
  await refuses(['export', 'logs', '--since=1h', '--format=xml'], /one of ndjson, csv/)
  await refuses(['export', 'logs', '--since=1h', '--output=/'], /is a directory/)
  await refuses(['export', 'logs', '--since=1h', '--output=/dev/null/x'], /ENOTDIR/)
  await refuses(['tokens'], /needs an action: list, create, show, delete/)
  await refuses(['tokens', 'lst'], /"lst" of tokens; did you mean list\?/)
  await refuses(['tokens', 'frobnicate'], /there are list, create, show, delete/)
  await refuses(['tokens', 'list', 'all'], /unexpected argument "all"/)
  await refuses(['tokens', 'show'], /tokens show needs ID/)
  await refuses(['tokens', 'show', 'a', 'b'], /unexpected argument "b"/)
  await refuses(['tokens', 'create', '--service', 'a'], /create needs --environment/)
  await refuses(['tokens', 'list', '--service', 'a'], /list does not take --service/)
  await refuses(['tokens', 'delete', 'a'], /needs --yes/)
  await refuses(['api-keys', 'create', '--name', 'a'], /create needs --role/)
  await refuses(['api-keys', 'create', '--name', 'a', '--role', 'root'], /viewer, editor, admin/)
  await refuses(['api-keys', 'create', '--expires', 'soon'], /--expires "soon": expected a durat/)
  await refuses(['api-keys', 'delete', 'a'], /needs --yes/)
  await refuses(['dashboards', 'put'], /put needs FILE/)
  await refuses(['dashboards', 'delete', 'a'], /needs --yes/)
  await refuses(['status', 'now'], /unexpected argument "now"/)
  await refuses(['status', '--interval', '1ms'], /a duration from 100ms/)
})

t.test('a command that needs a key says where one comes from', async t => {
  for (const argv of [
    ['query', 'logs'],
    ['tail'],
    ['export', 'logs', '--since=1h'],
    ['tokens', 'list'],
  ]) {
    const result = await run(argv, fakeTerminal())
    t.match(result, { code: 2, complained: /LOGSTRATA_KEY needs an API key.*api-keys create/ })
  }
})

t.test('where nobody answers, the remedy is told and the key is not', async t => {
  for (const argv of [
    ['query', 'logs'],
    ['query', 'count(logs) + count(logs)'],
    ['query', 'logs', '--histogram'],
    ['tail'],
    ['export', 'logs', '--since=1h'],
    ['tokens', 'list'],
    ['api-keys', 'list'],
    ['dashboards', 'list'],
    ['status'],
  ]) {
    const result = await run(argv, fakeTerminal({ environment }))
    t.match(result, {
      code: 1,
      printed: '',
      complained: /no service answers at http:\/\/127.0.0.1:2 .*npm start/,
    })
    t.notMatch(result.complained, /the-secret-key/)
  }
})

t.test('an environment with the key serves every command', async t => {
  const result = await run(['import', '--quiet', '-'], fakeTerminal({ environment }))
  t.match(result, { code: 2, complained: /--token or LOGSTRATA_TOKEN/ })
})
