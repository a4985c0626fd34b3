/** `logstrata api-keys`: the API keys of a running service. */

import { choice, duration, type Kind, text } from '../../config/setting-kinds.ts'
import { dayMs } from '../../time-units.ts'
import { requestJson } from '../api.ts'
import { switchSetting } from '../command-line.ts'
import { readTime } from '../moments.ts'
import { type Action, actionCommand, printMember } from './actions.ts'
import { deletion, yesSetting } from './deletion.ts'
import { type Column, listing } from './listing.ts'

interface KeyFlags {
  readonly name: string | undefined
  readonly role: 'viewer' | 'editor' | 'admin' | undefined
  readonly expires: Expiry | undefined
  readonly yes: boolean
  readonly json: boolean
}

/** Milliseconds since 1970, or milliseconds from now. */
type Expiry = { readonly atMs: number } | { readonly inMs: number }

const path = '/api/v1/settings/api-keys'

const columns: readonly Column[] = [
  { title: 'id', field: 'id' },
  { title: 'name', field: 'name' },
  { title: 'role', field: 'role' },
  { title: 'created', field: 'createdAt', kind: 'time' },
  { title: 'expires', field: 'expiresAt', kind: 'time', absent: 'never' },
]

const list = listing('Print all keys, without their texts, which nobody has any more', {
  path,
  member: 'keys',
  columns,
})

const create: Action<KeyFlags> = {
  name: 'create',
  summary: 'Make a key; it is printed this once, alone on standard output, ready for a variable',
  flags: ['name', 'role', 'expires'],
  required: ['name', 'role'],
  async run(context) {
    const { name, role, expires } = context.flags
    const body = { name, role, expiresAt: expires && expiryTime(expires) }
    const made = await requestJson(context.api, { method: 'POST', path, body })
    const about = `made API key ${made.id}, ${made.name}, ${made.role}. It is shown only now:`
    return printMember(context, made, 'key', about)
  },
}

const remove = deletion(
  'the API key',
  'Delete a key for good: whoever holds it is refused from the next request on',
  id => `${path}/${encodeURIComponent(id)}`,
)

const span = duration(1, 36_500 * dayMs)

/** `30d` is from now; a time is RFC 3339 or Unix time. */
function expiry(): Kind<Expiry> {
  return {
    placeholder: 'WHEN',
    expected: 'a duration from now such as 30d, or a time such as 2027-01-01T00:00:00Z',
    read: text => {
      const inMs = span.read(text)
      if (inMs !== undefined) return { inMs }
      const atMs = readTime(text)
      return atMs === undefined ? undefined : { atMs }
    },
    print: value => ('inMs' in value ? span.print(value.inMs) : new Date(value.atMs).toISOString()),
  }
}

function expiryTime(expires: Expiry): number {
  return 'atMs' in expires ? expires.atMs : Date.now() + expires.inMs
}

export const apiKeysCommand = actionCommand<KeyFlags>({
  name: 'api-keys',
  about:
    'Lists, makes and deletes API keys. A viewer may query, an editor may also change dashboards, an admin everything. Needs an admin key.',
  settings: {
    name: {
      flag: 'name',
      kind: text('NAME', 'what the key is for'),
      fallback: undefined,
      help: 'What a new key is for',
    },
    role: {
      flag: 'role',
      kind: choice(['viewer', 'editor', 'admin']),
      fallback: undefined,
      help: 'What whoever holds a new key may do',
    },
    expires: {
      flag: 'expires',
      kind: expiry(),
      fallback: undefined,
      fallbackText: 'default: never',
      help: 'When a new key ends: 30d from now, or a time (RFC 3339, Unix time)',
    },
    yes: yesSetting,
    json: switchSetting('json', 'Print one line of JSON for each key'),
  },
  common: ['json'],
  actions: [list, create, remove],
  examples: [
    'logstrata api-keys list',
    'logstrata api-keys create --name grafana --role viewer',
    'logstrata api-keys create --name deploy --role editor --expires 30d --json | jq -r .key',
    'logstrata api-keys delete ID',
  ],
})
