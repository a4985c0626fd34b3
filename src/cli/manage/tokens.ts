/** `logstrata tokens`: the ingestion tokens of a running service. */

import { text } from '../../config/setting-kinds.ts'
import { requestJson } from '../api.ts'
import { switchSetting } from '../command-line.ts'
import { type Action, actionCommand, printMember } from './actions.ts'
import { deletion, yesSetting } from './deletion.ts'
import { type Column, listing } from './listing.ts'

interface TokenFlags {
  readonly service: string | undefined
  readonly environment: string | undefined
  readonly parseJson: boolean
  readonly browser: boolean
  readonly yes: boolean
  readonly json: boolean
}

const path = '/api/v1/settings/ingestion-tokens'
const pathOf = (id: string) => `${path}/${encodeURIComponent(id)}`

const columns: readonly Column[] = [
  { title: 'id', field: 'id' },
  { title: 'service', field: 'serviceName' },
  { title: 'environment', field: 'environment' },
  { title: 'created', field: 'createdAt', kind: 'time' },
  { title: 'last used', field: 'lastUsedAt', kind: 'time', absent: 'never' },
  { title: 'events', field: 'eventCount', kind: 'number' },
  { title: 'ends in', field: 'hint' },
]

const list = listing('Print all tokens, without their secrets', { path, member: 'tokens', columns })

const create: Action<TokenFlags> = {
  name: 'create',
  summary: 'Make a token; its secret is printed alone on standard output, ready for a variable',
  flags: ['service', 'environment', 'parseJson', 'browser'],
  required: ['service', 'environment'],
  async run(context) {
    const { api, flags } = context
    const parse = flags.parseJson ? 'json' : null
    const { service: serviceName, environment, browser } = flags
    const body = { serviceName, environment, parse, browser }
    const made = await requestJson(api, { method: 'POST', path, body })
    const about = `made ingestion token ${made.id} of ${made.serviceName}, ${made.environment}:`
    return printMember(context, made, 'token', about)
  },
}

const show: Action<TokenFlags> = {
  name: 'show',
  argument: 'ID',
  summary: 'Print the secret of a token again',
  async run(context) {
    const { api, argument } = context
    const answer = await requestJson(api, { path: `${pathOf(argument)}/secret` })
    return printMember(context, answer, 'token')
  },
}

const remove = deletion(
  'the ingestion token',
  'Delete a token for good: its senders are refused from the next request on',
  pathOf,
)

export const tokensCommand = actionCommand<TokenFlags>({
  name: 'tokens',
  about:
    'Lists, makes, shows and deletes ingestion tokens. Whoever holds one may send events, which get the service name and the environment of the token. Needs an admin key.',
  settings: {
    service: {
      flag: 'service',
      kind: text('NAME', 'the name of the service that sends'),
      fallback: undefined,
      help: 'Name of the service that sends with a new token',
    },
    environment: {
      flag: 'environment',
      kind: text('NAME', 'the name of the environment that it runs in'),
      fallback: undefined,
      help: 'Environment that it runs in, such as production',
    },
    parseJson: switchSetting(
      'parse-json',
      'Take messages of a new token apart that are JSON, as from Docker or Kubernetes',
    ),
    browser: switchSetting(
      'browser',
      'Make a token for pages in a browser: from --cors-origins of the service only, at a limited rate',
    ),
    yes: yesSetting,
    json: switchSetting('json', 'Print one line of JSON for each token'),
  },
  common: ['json'],
  actions: [list, create, show, remove],
  examples: [
    'logstrata tokens list',
    'TOKEN=$(logstrata tokens create --service checkout --environment production)',
    'logstrata tokens show ID',
    'logstrata tokens delete ID --yes',
  ],
})
