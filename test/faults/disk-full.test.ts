import { randomBytes } from 'node:crypto'
import t from 'tap'
import { startServiceOf } from '../service/service-process.ts'
import { inSmallFileSystem, noMounts as skip } from './small-file-system.ts'

t.test(
  'a full disk is answered 503, loses nothing acknowledged, and reads go on',
  { skip },
  async t => {
    const dataDir = t.testdir()
    const service = await startServiceOf(t, dataDir, {
      through: inSmallFileSystem('8m', dataDir),
      flags: ['--journal-file-bytes', '1MiB'],
    })
    const token = await service.makeToken()
    const path = '/api/v1/webhook/event/log'
    let acknowledged = 0
    let refused = 0
    for (let i = 0; i < 200 && refused < 5; i++) {
      // Random, so that sealing finds nothing to compress and frees no space.
      const body = { message: `event ${i}`, padding: randomBytes(75_000).toString('base64') }
      const answer = await service.call('POST', path, { token, body })
      if (answer.status === 200) {
        acknowledged++
        continue
      }
      refused++
      t.equal(answer.status, 503)
      t.match(answer.body, { code: 'storage_full' })
      t.match(answer.headers.get('retry-after'), /^\d+$/)
    }
    t.equal(refused, 5, 'the disk was full')
    t.ok(acknowledged > 20, `${acknowledged} events fitted`)
    const { status, body } = await service.query('count(logs{message=~"event [0-9]+"})')
    t.equal(status, 200)
    t.equal(body.count, acknowledged, 'exactly what was acknowledged is there')
  },
)
