/**
 * `npm run clickhouse-crash -- CYCLES`: service and engine are killed in turn for as many cycles as wanted
 * (default 200). Kills come at random moments, so that each run is another. All ids are compared after every
 * 20th and at the end.
 */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crashLoop } from './crash.ts'
import { engineMissing } from './installed-engine.ts'

if (engineMissing !== undefined) throw new Error(engineMissing)
const cycles = Number(process.argv[2] ?? 200)
const directory = fs.mkdtempSync(join(tmpdir(), 'logstrata-clickhouse-crash-'))
for (const name of ['engine', 'data']) fs.mkdirSync(join(directory, name))
const report = await crashLoop(directory, cycles, report => {
  if (report.violations === undefined) return
  const wrong = report.violations.length
  const { cycle, acknowledged } = report
  console.log(
    `${cycle} of ${cycles} cycles, ${acknowledged} acknowledged, ids compared: ${wrong} wrong`,
  )
})
const { acknowledged, rows, distinctRows, violations } = report
for (const violation of violations.slice(0, 20)) console.log(`  ${violation}`)
const lost = violations.filter(violation => violation.endsWith(' is lost')).length
const other = violations.length - lost
console.log({ cycles, acknowledged, rows, lost, doubled: rows - distinctRows, other })
if (violations.length === 0 && rows === distinctRows && rows >= acknowledged) {
  fs.rmSync(directory, { recursive: true })
} else {
  console.log(`left to look at: ${directory}`)
  process.exitCode = 1
}
