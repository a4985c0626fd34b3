/** `npm run clickhouse-away -- SECONDS`: the engine is paused, and then gone, for so long (default 180). */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { engineAway } from './away.ts'
import { engineMissing } from './installed-engine.ts'

if (engineMissing !== undefined) throw new Error(engineMissing)
const seconds = Number(process.argv[2] ?? 180)
const directory = fs.mkdtempSync(join(tmpdir(), 'logstrata-clickhouse-away-'))
fs.mkdirSync(join(directory, 'engine'))
const report = await engineAway(directory, seconds * 1_000)
console.log({ seconds, ...report })
const { sent, acknowledged, rows, distinctRows, violations } = report
const isWell = [acknowledged, rows, distinctRows].every(count => count === sent)
if (isWell && violations.length === 0) fs.rmSync(directory, { recursive: true })
else {
  console.log(`left to look at: ${directory}`)
  process.exitCode = 1
}
