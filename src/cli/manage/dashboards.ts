/** `logstrata dashboards`: the dashboards of a running service, as JSON that can be kept in files. */
import type { Readable } from 'node:stream'
import { requestJson, requestText } from '../api.ts'
import { switchSetting } from '../command-line.ts'
import { printableJson } from '../printable.ts'
import { type Action, actionCommand, printMember } from './actions.ts'
import { deletion, yesSetting } from './deletion.ts'
import { readJsonFile } from './json-file.ts'
import { type Column, listing } from './listing.ts'

interface DashboardFlags {
  readonly yes: boolean
  readonly json: boolean
}

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

const get: Action<DashboardFlags> = {
  name: 'get',
  argument: 'ID',
  summary: 'Print a dashboard as JSON, in the form that put takes',
  async run({ api, argument, output }) {
    // As it came, not parsed and printed again: large numbers keep all their digits.
    const text = await requestText(api, { path: pathOf(argument) })
    await output.write(`${printableJson(text.trimEnd())}\n`)
    return 0
  },
}

const put: Action<DashboardFlags> = {
  name: 'put',
  argument: 'FILE',
  summary:
    'Create or replace a dashboard from a file, or from standard input (-); its id is printed',
  async run(context) {
    const body = await readDashboard(context.argument, context.terminal.stdin)
    const answer = await requestJson(context.api, { method: 'POST', path: `${path}/update`, body })
    return printMember(context, answer, 'id')
  },
}

const remove = deletion('the dashboard', 'Delete a dashboard for good', pathOf)

/** The body to send: the text as it is, also when it is the dashboard alone. Throws CommandError. */
async function readDashboard(file: string, stdin: Readable): Promise<string> {
  const { text, value } = await readJsonFile(file, stdin)
  const isWrapped = typeof value === 'object' && value !== null && 'dashboard' in value
  return isWrapped ? text : `{"dashboard":${text}}`
}

export const dashboardsCommand = actionCommand<DashboardFlags>({
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
