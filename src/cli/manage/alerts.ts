/** `logstrata alerts`: the rules of a running service, as JSON for files, and how they stand. */
import { switchSetting } from '../command-line.ts'
import { actionCommand } from './actions.ts'
import { deletion, yesSetting } from './deletion.ts'
import { getting, putting } from './json-file.ts'
import { type Column, listing } from './listing.ts'

const path = '/api/v1/alerts/rules'
const pathOf = (id: string) => `${path}/${encodeURIComponent(id)}`

const columns: readonly Column[] = [
  { title: 'id', field: 'ruleId' },
  { title: 'name', field: 'name' },
  { title: 'state', field: 'state' },
  { title: 'since', field: 'since', kind: 'time' },
  { title: 'evaluated', field: 'evaluatedAt', kind: 'time' },
  { title: 'error', field: 'error' },
]

const list = listing('Print how all rules stand, by name', {
  path: '/api/v1/alerts/states',
  member: 'states',
  columns,
})

const get = getting('a rule', pathOf)
const put = putting('a rule', path)
const remove = deletion('the rule', 'Delete a rule for good; what fires of it is resolved', pathOf)

export const alertsCommand = actionCommand({
  name: 'alerts',
  about:
    'Lists, prints, stores and deletes rules of alerts. What get prints, put takes: a rule without an id becomes a new one, with it the one of that id is replaced as a whole. To change them, an editor’s key is needed.',
  settings: {
    yes: yesSetting,
    json: switchSetting('json', 'Print one line of JSON for each rule'),
  },
  common: ['json'],
  actions: [list, get, put, remove],
  examples: [
    'logstrata alerts list',
    "logstrata alerts list --json | jq -r '.alerts[].labels'",
    'logstrata alerts get checkout-errors > checkout-errors.json',
    'logstrata alerts put checkout-errors.json',
    'logstrata alerts delete checkout-errors --yes',
  ],
})
