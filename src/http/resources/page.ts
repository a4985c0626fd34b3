/** The page: its HTML at every path of it, and what it is made of under `/assets/`. */

import type { HttpDependencies } from '../dependencies.ts'
import { noContentAnswer, type Operation, textAnswer } from '../openapi/operation.ts'
import { type PageName, pagePaths } from '../page-paths.ts'
import { parameterNames } from '../paths.ts'
import type { DescribedRoute } from '../route.ts'

/** Every path of the page, and its assets. Open: the API decides who sees what. */
export function pageRoutes({ pages }: Pick<HttpDependencies, 'pages'>): readonly DescribedRoute[] {
  const ofPaths = (Object.keys(pagePaths) as PageName[]).map(
    (name): DescribedRoute => ({
      method: 'GET',
      path: pagePaths[name],
      access: 'open',
      body: 'none',
      about: pageOperation(name),
      handle: () => pages.html(),
    }),
  )
  const assets: DescribedRoute = {
    method: 'GET',
    path: '/assets/{name}',
    access: 'open',
    body: 'none',
    about: assetOperation,
    handle: ({ pathParameter, headers }) => pages.asset(pathParameter('name'), headers),
  }
  return [...ofPaths, assets]
}

const summaries: Readonly<Record<PageName, string>> = {
  home: 'The beginning',
  signIn: 'Signing in',
  logs: 'Records',
  trace: 'The records of one trace',
  dashboards: 'All dashboards',
  dashboard: 'One dashboard',
  alerts: 'Alerts',
  alertRule: 'One rule of alerts',
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
function pageOperation(name: PageName): Operation {
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

const assetOperation: Operation = {
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
