/** The short form of `npm run clickhouse-ship`: `logstrata ship` killed at random moments, both ways. */
import t from 'tap'
import { engineMissing } from './installed-engine.ts'
import { shipKills } from './ship-kills.ts'

const skip = engineMissing ?? false

t.test('a move that is killed again and again loses and doubles nothing', { skip }, async t => {
  const directory = t.testdir({ engine: {}, data: {} })
  const { kills, midway, moves, ...found } = await shipKills(directory, { kills: 10, records: 600 })
  t.comment(`${midway} of ${kills} kills in the midst of ${moves} moves`)
  t.ok(kills >= 10 && midway > 0 && moves >= 2)
  t.same(found, { lost: 0, doubled: 0, wrongRows: 0 })
})
