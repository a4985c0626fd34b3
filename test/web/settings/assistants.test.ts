import t from 'tap'
import { assistantsFor } from '../../../src/web/settings/snippets/assistants.ts'
import { connect } from '../../clients/mcp-client.ts'
import { adminKey } from '../../service/service-process.ts'
import { sharedService } from '../../service/shared-service.ts'

const textsOf = (facts: { origin: string; key: string }) =>
  new Map(assistantsFor(facts).map(({ id, blocks }) => [id, Object.values(blocks)]))

t.test('what each assistant is given has the address and the key where it reads them', async t => {
  const texts = textsOf({ origin: 'http://logs.example:7007', key: 'key_1' })
  const url = 'http://logs.example:7007/mcp'
  const headers = { Authorization: 'Bearer key_1' }
  const parsed = (id: string) => JSON.parse(texts.get(id)![0]!)
  t.same(texts.get('claude-code'), [
    `claude mcp add --transport http logstrata ${url} --header "Authorization: Bearer key_1"`,
  ])
  t.same(parsed('cursor'), { mcpServers: { logstrata: { url, headers } } })
  t.same(parsed('vscode'), { servers: { logstrata: { type: 'http', url, headers } } })
  const { command, args, env } = parsed('claude-desktop').mcpServers.logstrata
  t.same([command, ...args.slice(0, 4)], ['npx', '-y', 'mcp-remote', url, '--allow-http'])
  const header = args.at(-1).replace(/\$\{(\w+)\}/, (_: string, name: string) => env[name])
  t.equal(header, 'Authorization:Bearer key_1')
  const local = textsOf({ origin: 'http://127.0.0.1:7007', key: 'k' }).get('claude-desktop')!
  t.notMatch(local[0], /allow-http/)
  t.match(texts.get('codex')![0], /LOGSTRATA_KEY=key_1\n.*--url http/)
})

t.test('an assistant that is told so is answered', async t => {
  const { url: origin } = await sharedService()
  const [text = ''] = textsOf({ origin, key: adminKey }).get('cursor')!
  const { url, headers } = JSON.parse(text).mcpServers.logstrata
  const key = headers.Authorization.replace(/^Bearer /, '')
  const { client } = await connect(t, new URL(url).origin, { key })
  t.ok((await client.listTools()).tools.length > 5)
  t.equal(new URL(url).pathname, '/mcp')
})
