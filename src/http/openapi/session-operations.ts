/** The document's words on signing in, and on the page itself. */

import { type PageName, pagePaths } from '../page-paths.ts'
import { parameterNames } from '../paths.ts'
import { signInSchema } from '../resources/session.ts'
import { sessionSchema } from '../schemas/settings.ts'
import { described, jsonAnswer, noContentAnswer, type Operation, textAnswer } from './operation.ts'
import { changeProblems } from './route-problems.ts'

const cookie = { 'Set-Cookie': 'The session: `HttpOnly`, `SameSite=Strict`.' }

export const sessionOperations = {
  signIn: {
    id: 'signIn',
    tag: 'Session',
    summary: 'Sign in',
    description: 'The session ends after a month, or as soon as its key does.',
    body: described(signInSchema, { key: 'An API key.' }),
    answers: { 200: { ...jsonAnswer('Who signed in.', sessionSchema), headers: cookie } },
    problems: [
      'credential_invalid',
      'credential_failures_too_many',
      'cross_site',
      ...changeProblems,
    ],
    sample: { body: { key: '$KEY' } },
  },

  show: {
    id: 'showSession',
    tag: 'Session',
    summary: 'Who asks: the session, or the API key',
    answers: { 200: jsonAnswer('Whose credential it is.', sessionSchema) },
    sample: {},
  },

  signOut: {
    id: 'signOut',
    tag: 'Session',
    summary: 'Sign out',
    description: 'Takes the cookie away, also of a session that has ended already.',
    answers: { 204: { ...noContentAnswer('Signed out.'), headers: { 'Set-Cookie': 'Its end.' } } },
    problems: ['cross_site', ...changeProblems],
    sample: {},
  },
} as const satisfies Record<string, Operation>

const summaries: Readonly<Record<PageName, string>> = {
  home: 'The beginning',
  signIn: 'Signing in',
  logs: 'Records',
  dashboards: 'All dashboards',
  dashboard: 'One dashboard',
  settings: 'Settings',
  settingsSection: 'One section of the settings',
  settingsGroupSection: 'One section of the settings, by the way to it',
}

/** By the names of the parameters of a path. */
const shownBy: Readonly<Record<string, string>> = {
  id: 'What it shows.',
  group: 'Of which group, such as `integrations`.',
}

/** One of the paths of the page. */
export function pageOperation(name: PageName): Operation {
  return {
    id: `page${name[0]!.toUpperCase()}${name.slice(1)}`,
    tag: 'Page',
    summary: summaries[name],
    pathParameters: Object.fromEntries(
      parameterNames(pagePaths[name]).map(parameter => [parameter, shownBy[parameter]!]),
    ),
    answers: {
      200: textAnswer('The page.', 'text/html'),
      503: textAnswer('The page is not built; it says what to do.', 'text/html'),
    },
  }
}

const asset = { schema: { type: 'string' } }

export const assetOperation: Operation = {
  id: 'asset',
  tag: 'Page',
  summary: 'A part of the page',
  pathParameters: { name: 'A name that the HTML mentions. It has the hash of its content in it.' },
  answers: {
    200: {
      description: 'The part; to be kept for good.',
      contents: {
        'text/javascript': asset,
        'text/css': asset,
        'image/svg+xml': asset,
        'application/json': { schema: {} },
      },
    },
    304: noContentAnswer('It is the one that `If-None-Match` names.'),
  },
}
