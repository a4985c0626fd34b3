/**
 * What Elasticsearch's clients ask before and between their bulk requests, each answered so that they go on:
 * the service is there and well, has a licence, and what they would set up is there already. What they set
 * up is taken with a word, and not kept: an index here has no mapping and no policy. So is the wish of a bulk
 * helper that is done to have its documents found (`_refresh`): they were when they were answered.
 *
 * Sources: Elastic's clients for JavaScript 8.19 and 9.1, libbeat 9.1 (`esleg`, `idxmgmt`), Logstash's output
 * 12, Vector 0.49 (`elasticsearch/common.rs`), Fluent Bit 4.
 */

import { Type } from 'typebox'
import { jsonAnswer } from '../../openapi/operation.ts'
import type { DescribedRoute } from '../../route.ts'
import { elasticErrors, elasticReply } from './elastic-answers.ts'

/** The release whose API this is: clients of 9 and 7 take it as well. */
const version = {
  number: '8.19.0',
  build_flavor: 'default',
  build_type: 'tar',
  build_hash: 'logstrata',
  build_date: '2026-01-01T00:00:00.000Z',
  build_snapshot: false,
  lucene_version: '9.12.2',
  minimum_wire_compatibility_version: '7.17.0',
  minimum_index_compatibility_version: '7.0.0',
}

const cluster = { cluster_name: 'logstrata', cluster_uuid: 'logstrata' }

const root = { name: 'logstrata', ...cluster, version, tagline: 'You Know, for Search' }

const license = { status: 'active', uid: 'logstrata', type: 'basic', mode: 'basic' }

const health = {
  cluster_name: cluster.cluster_name,
  status: 'green',
  timed_out: false,
  number_of_nodes: 1,
  number_of_data_nodes: 1,
  active_primary_shards: 1,
  active_shards: 1,
  relocating_shards: 0,
  initializing_shards: 0,
  unassigned_shards: 0,
  delayed_unassigned_shards: 0,
  number_of_pending_tasks: 0,
  number_of_in_flight_fetch: 0,
  task_max_waiting_in_queue_millis: 0,
  active_shards_percent_as_number: 100,
}

const xpack = { license, features: { ilm: { available: true, enabled: true } } }

const noNodes = {
  _nodes: { total: 0, successful: 0, failed: 0 },
  cluster_name: cluster.cluster_name,
  nodes: {},
}

/** Elastic's own clients ask by GET where they have nothing to say. */
const refreshes = [
  ['ElasticRefresh', '/elastic/_refresh'],
  ['ElasticIndexRefresh', '/elastic/{name}/_refresh'],
] as const
const refreshed = { _shards: { total: 1, successful: 1, failed: 0 } }

/** Questions without a name in their path. */
const questions: readonly (readonly [id: string, path: string, answer: object])[] = [
  ['askElastic', '/elastic', root],
  ['askElasticRoot', '/elastic/', root],
  ['askElasticHealth', '/elastic/_cluster/health', health],
  ['askElasticLicense', '/elastic/_license', { license }],
  ['askElasticXpack', '/elastic/_xpack', xpack],
  ['askElasticNodes', '/elastic/_nodes', noNodes],
  ['askElasticNodesHttp', '/elastic/_nodes/http', noNodes],
  ['askElasticNodesAllHttp', '/elastic/_nodes/_all/http', noNodes],
  ['askElasticPipelines', '/elastic/_ingest/pipeline', {}],
]

/** What clients look for under a name, and would set up if it were not there. */
const settings: readonly (readonly [id: string, path: string, answer: (name: string) => object])[] =
  [
    ['IndexTemplate', '/elastic/_index_template/{name}', templates],
    ['Template', '/elastic/_template/{name}', name => ({ [name]: {} })],
    ['ComponentTemplate', '/elastic/_component_template/{name}', name => ({ [name]: {} })],
    ['LifecyclePolicy', '/elastic/_ilm/policy/{name}', policies],
    ['Pipeline', '/elastic/_ingest/pipeline/{name}', name => ({ [name]: {} })],
    ['DataStream', '/elastic/_data_stream/{name}', dataStreams],
    ['Alias', '/elastic/_alias/{name}', name => ({ [name]: { aliases: { [name]: {} } } })],
    ['Index', '/elastic/{name}', name => ({ [name]: { aliases: {}, mappings: {}, settings: {} } })],
  ]

function templates(name: string): object {
  const template = { index_patterns: [name], data_stream: {}, composed_of: [] }
  return { index_templates: [{ name, index_template: template }] }
}

function policies(name: string): object {
  return { [name]: { version: 1, policy: { phases: {} } } }
}

function dataStreams(name: string): object {
  const stream = { name, timestamp_field: { name: '@timestamp' }, status: 'GREEN', indices: [] }
  return { data_streams: [stream] }
}

export function elasticProbes(): readonly DescribedRoute[] {
  return [
    ...questions.map(([id, path, answer]) => probe('GET', path, id, () => answer)),
    ...refreshes.flatMap(([id, path]) => [
      probe('GET', path, `get${id}`, () => refreshed),
      probe('POST', path, `post${id}`, () => refreshed),
    ]),
    ...settings.flatMap(([id, path, answer]) => [
      probe('GET', path, `getElastic${id}`, answer),
      probe('PUT', path, `putElastic${id}`, () => ({ acknowledged: true })),
    ]),
  ]
}

const anyObject = Type.Unknown({ description: 'As Elasticsearch has it.' })

function probe(
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  id: string,
  answer: (name: string) => object,
): DescribedRoute {
  const hasName = path.includes('{name}')
  return {
    method,
    path,
    access: 'ingestion-token',
    body: 'none',
    errors: elasticErrors,
    about: {
      id,
      tag: 'Senders',
      summary: "For Elasticsearch's clients, which ask this before they send",
      ...(hasName && { pathParameters: { name: 'Any: it is said to be there.' } }),
      answers: { 200: jsonAnswer('What lets them go on.', anyObject) },
      sample: hasName ? { path: { name: 'logs' } } : {},
    },
    handle: ({ pathParameter }) => {
      const asked = hasName ? pathParameter('name') : ''
      return elasticReply(JSON.stringify(answer(asked)))
    },
  }
}
