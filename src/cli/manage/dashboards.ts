/** `logstrata dashboards`: the dashboards of a running service, as JSON that can be kept in files. */
import { switchSetting } from '../command-line.ts'
import { actionCommand } from './actions.ts'
import { deletion, yesSetting } from './deletion.ts'
import { getting, putting } from './json-file.ts'
import { type Column, listing } from './listing.ts'

const path = '/api/v1/dashboards'
const pathOf = (id: string) => `${path}/${encodeURIComponent(id)}`

const columns: readonly Column[] = [
  { title: 'id', field: 'id' },
  { title: 'title', field: 'title' },
  { title: 'folder', field: 'folderPath' },
  { title: 'created', field: 'createdAt', kind: 'time' },
  { title: 'updated', field: 'updatedAt', kind: 'time' },
]

const list = listing('Print all dashboards, by folder and title', {
  path,
  member: 'dashboards',
  columns,
})

const get = getting('a dashboard', pathOf)

/** The text of the file as it is, also when it is the dashboard alone. */
const put = putting('a dashboard', `${path}/update`, (text, value) => {
  const isWrapped = typeof value === 'object' && value !== null && 'dashboard' in value
  return isWrapped ? text : `{"dashboard":${text}}`
})

const remove = deletion('the dashboard', 'Delete a dashboard for good', pathOf)

export const dashboardsCommand = actionCommand({
  name: 'dashboards',
  about:
    'Lists, prints, stores and deletes dashboards. What get prints, put takes: a dashboard without metadata.id becomes a new one, with it the one of that id is replaced as a whole. To change them, an editor’s key is needed.',
  settings: {
    yes: yesSetting,
    json: switchSetting('json', 'Print one line of JSON for each dashboard'),
  },
  common: ['json'],
  actions: [list, get, put, remove],
  examples: [
    'logstrata dashboards list',
    'logstrata dashboards get checkout > checkout.json',
    'logstrata dashboards put checkout.json',
    'jq \'.dashboard.metadata.id = "copy"\' checkout.json | logstrata dashboards put -',
    'logstrata dashboards delete copy --yes',
  ],
})
