/**
 * `npm run crash -- CYCLES`: the crash test for as many cycles as wanted (default 1,000). Kills come at
 * random moments, so that each run is another; the last line says what a sum over runs needs.
 */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crashLoop } from './crash.ts'

const cycles = Number(process.argv[2] ?? 1_000)
const dataDir = fs.mkdtempSync(join(tmpdir(), 'logstrata-crash-'))
const { acknowledged, violations } = await crashLoop(dataDir, cycles, (cycle, acknowledged) => {
  if (cycle % 10 === 0) console.log(`${cycle} of ${cycles} cycles, ${acknowledged} acknowledged`)
})
for (const violation of violations.slice(0, 20)) console.log(`  ${violation}`)
const lost = violations.filter(violation => violation.endsWith(' is lost')).length
const doubled = violations.filter(violation => /is there \d+ times$/.test(violation)).length
console.log({ cycles, acknowledged, lost, doubled, other: violations.length - lost - doubled })
if (violations.length === 0) fs.rmSync(dataDir, { recursive: true })
else {
  console.log(`left to look at: ${dataDir}`)
  process.exitCode = 1
}
