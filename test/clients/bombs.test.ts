/** Bodies that are small on the wire and beyond the limit when they are decoded, to each path for senders. */
import { gzipSync, zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { sharedSender } from '../service/shared-service.ts'

const json = 'application/json'
/** One byte more than `--max-batch-bytes`. */
const spaces = Buffer.alloc(64 * 1024 * 1024 + 1, ' ')
const bombs = { gzip: gzipSync(spaces), zstd: zstdCompressSync(spaces) }

t.test('a compressed bomb stops at the decoded limit on every path', async t => {
  const { service, token } = await sharedSender('bombed')
  for (const path of [
    '/api/v1/webhook/event/logs',
    '/elastic/_bulk',
    '/elastic/logs/_bulk',
    '/loki/api/v1/push',
    '/services/collector/event',
    '/services/collector/raw',
    '/api/v2/logs',
    '/gelf',
    '/v1/logs',
  ]) {
    for (const [encoding, body] of Object.entries(bombs)) {
      const headers = { 'content-type': json, 'content-encoding': encoding }
      const answer = await service.call('POST', path, { token, body, headers })
      t.equal(answer.status, 413, `${path} ${encoding}`)
    }
  }
  t.equal((await service.query('count(logs{service.name="bombed"})')).body.count, 0)
})
