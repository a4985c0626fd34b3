/**
 * `npm run clickhouse-ship -- KILLS [RECORDS]`: `logstrata ship` is killed so many times (default 100) at
 * random moments, to ClickHouse and back in turn, and all of 3,000 records are compared after each move.
 */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { engineMissing } from './installed-engine.ts'
import { shipKills } from './ship-kills.ts'

if (engineMissing !== undefined) throw new Error(engineMissing)
const [kills, records] = [Number(process.argv[2] ?? 100), Number(process.argv[3] ?? 3_000)]
const directory = fs.mkdtempSync(join(tmpdir(), 'logstrata-clickhouse-ship-'))
for (const name of ['engine', 'data']) fs.mkdirSync(join(directory, name))
const report = await shipKills(directory, {
  ...{ kills, records },
  onMove: ({ what, kills, midway, moves, lost, doubled }) => {
    const killed = `${kills} kills, ${midway} midway`
    console.log(`${moves} moves, ${killed}, after ${what}: ${lost} lost, ${doubled} doubled`)
  },
})
console.log({ records, ...report })
const { lost, doubled, wrongRows } = report
if (lost + doubled + wrongRows === 0) fs.rmSync(directory, { recursive: true })
else {
  console.log(`left to look at: ${directory}`)
  process.exitCode = 1
}
