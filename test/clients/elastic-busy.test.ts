/**
 * What becomes of documents that Elastic's own client sends while events arrive faster than they can be stored:
 * it sends again what has status 429 in its item, and gives up on 429 as the answer.
 */
import { Client } from '@elastic/elasticsearch'
import { Client as Client8 } from 'elasticsearch-8'
import t, { type Test } from 'tap'
import type { IngestDoor } from '../../src/http/dependencies.ts'
import { overloaded } from '../../src/ingest/body-memory.ts'
import { ProblemError } from '../../src/problems.ts'
import type { LocalStore } from '../../src/store/local-store.ts'
import { config, ingestionSecret, startServer } from '../http/stand-ins.ts'
import { openIngestIn } from '../ingest/retries/ingest-on-store.ts'

const behind = overloaded('the disk is behind')
const full = new ProblemError('storage_full', 'the disk has $& left')
const fullJournal = new ProblemError('journal_full', 'as many wait as may')

/** A service whose journal has no room when it is asked for some, and when it is to append, so many times. */
async function startBusy(t: Test, refused: { room?: number; append?: number }, why = behind) {
  const { store, ingest, messages, counted, close } = await openIngestIn(t.testdir())
  const door: Partial<IngestDoor> = {
    batch: (...asked) => ingest.batch(...asked),
    checkRoom: () => ingest.checkRoom(),
  }
  const { url } = await startServer(t, { ingest: door, config: { ...config, batchBytesMax } })
  t.teardown(close)
  const busy = () => {
    throw why
  }
  const left = { room: 0, append: 0, ...refused }
  const { checkRoom, appendBatches } = store
  store.checkRoom = () => (left.room-- > 0 ? busy() : checkRoom.call(store))
  store.appendBatches = (...batches: Parameters<LocalStore['appendBatches']>) =>
    left.append-- > 0 ? busy() : appendBatches.apply(store, batches)
  return { node: `${url}/elastic`, messages, counted }
}

/** Larger than a body may be of which each event is told. */
const batchBytesMax = 10 * 1024 * 1024

const auth = { apiKey: ingestionSecret }

async function sendAll(
  node: string,
  datasource: readonly object[],
  more: object = {},
  Made: typeof Client = Client,
) {
  const client = new Made({ node, auth })
  const dropped: unknown[] = []
  const onDocument = (document: unknown) => {
    const { id } = document as { readonly id?: string }
    return { create: { _index: 'logs', ...(id !== undefined && { _id: id }) } }
  }
  const onDrop = (drop: unknown) => dropped.push(drop)
  try {
    const options = { datasource: [...datasource], onDocument, onDrop, wait: 10, ...more }
    return { ...(await client.helpers.bulk(options)), dropped }
  } finally {
    await client.close()
  }
}

const numbered = (count: number, more: (i: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, i) => ({ message: `number ${i}`, ...more(i) }))
const messagesOf = (documents: readonly { readonly message: string }[]) =>
  documents.map(({ message }) => message).sort()

const cases = {
  'few documents, no room before they are read': { refused: { room: 2 }, documents: numbered(3) },
  'few documents, no room after they were read': { refused: { append: 2 }, documents: numbered(3) },
  'many documents, no room before and after': {
    refused: { room: 1, append: 1 },
    documents: numbered(2_000, () => ({ long: 'x'.repeat(100) })),
  },
  'few documents with ids': {
    refused: { room: 1, append: 1 },
    documents: numbered(3, i => ({ id: `id "${i}"` })),
  },
  'many documents with ids': {
    refused: { append: 2 },
    documents: numbered(1_000, i => ({ id: `id-${i}`, long: 'x'.repeat(100) })),
  },
}
for (const [version, Made] of [
  [8, Client8 as unknown as typeof Client],
  [9, Client],
] as const) {
  for (const [name, { refused, documents }] of Object.entries(cases)) {
    t.test(`version ${version} sends again until all is stored, once: ${name}`, async t => {
      const { node, messages, counted } = await startBusy(t, refused)
      const { successful, failed, dropped } = await sendAll(node, documents, {}, Made)
      t.same(
        { successful, failed, dropped },
        { successful: documents.length, failed: 0, dropped: [] },
      )
      t.same((await messages()).sort(), messagesOf(documents))
      t.same(counted, { accepted: documents.length, repeated: 0 })
    })
  }
}

t.test('a full disk is told of each document, too, and they are sent again', async t => {
  const types = [
    { why: full, type: 'cluster_block_exception' },
    { why: fullJournal, type: 'es_rejected_execution_exception' },
  ]
  for (const { why, type } of types) {
    for (const refused of [{ room: 1 }, { append: 1 }]) {
      const { node } = await startBusy(t, refused, why)
      const reason = why.message
      t.match(await post(node, '{"create":{}}\n{}\n'), {
        status: 200,
        answer: { errors: true, items: [{ create: { status: 429, error: { type, reason } } }] },
      })
    }
  }
  const { node, messages } = await startBusy(t, { room: 1, append: 1 }, full)
  t.match(await sendAll(node, numbered(3)), { successful: 3, failed: 0 })
  t.equal((await messages()).length, 3)
})

t.test('what can never be stored is dropped at once, and the others are sent again', async t => {
  const { node, messages } = await startBusy(t, { append: 1 })
  const tooMany = Object.fromEntries(Array.from({ length: 1_100 }, (_, i) => [`a${i}`, i]))
  const documents = numbered(3, i => (i === 1 ? tooMany : {}))
  const { successful, dropped } = await sendAll(node, documents)
  t.equal(successful, 2)
  t.match(dropped, [{ status: 400, document: { message: 'number 1' }, retried: false }])
  t.same((await messages()).sort(), ['number 0', 'number 2'])
})

async function post(node: string, body: string) {
  const headers = {
    Authorization: `ApiKey ${ingestionSecret}`,
    'Content-Type': 'application/x-ndjson',
  }
  const response = await fetch(`${node}/_bulk`, { method: 'POST', headers, body })
  return { status: response.status, answer: await response.json() }
}

t.test(
  'each action has an item, whatever its document; an id with quotes stays what it is',
  async t => {
    const id = '\\",\\"status\\":201,\\"result\\":\\"created\\"}}'
    const body = `{"create":{"_index":"a","_id":"${id}"}}\nno json\n{"delete":{"_id":"1"}}\n{"index":{}}\n{}\n`
    const type = 'es_rejected_execution_exception'
    const { node } = await startBusy(t, { room: 1 })
    const _id = JSON.parse(`"${id}"`)
    t.match(await post(node, body), {
      status: 200,
      answer: {
        errors: true,
        items: [
          { create: { _index: 'a', _id, status: 429, error: { type } } },
          { delete: { _id: '1', status: 429 } },
          { index: { status: 429 } },
        ],
      },
    })
    const good = body.replace('no json', '{}')
    const { node: other } = await startBusy(t, { append: 1 })
    t.match(await post(other, good), {
      status: 200,
      answer: {
        items: [
          { create: { _id, status: 429 } },
          { delete: { status: 400 } },
          { index: { status: 429 } },
        ],
      },
    })
  },
)

t.test(
  'as a whole, in the form of an error, where nobody knows which documents there are',
  async t => {
    const { node } = await startBusy(t, { room: 3 })
    const whole = { status: 429, answer: { status: 429, error: { type: /^es_rejected/ } } }
    t.match(await post(node, '{"create":{}}\n{}\nno action\n'), whole)
    t.match(await post(node, `{"create":{}}\n{"a":"${'x'.repeat(9 * 1024 * 1024)}"}\n`), whole)
  },
)
