/** `npm run crash -- CYCLES`: the crash test for as many cycles as wanted (default 1,000). */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crashLoop } from './crash.ts'

const cycles = Number(process.argv[2] ?? 1_000)
const dataDir = fs.mkdtempSync(join(tmpdir(), 'logstrata-crash-'))
const report = await crashLoop(dataDir, cycles, (cycle, acknowledged) => {
  if (cycle % 10 === 0) console.log(`${cycle} of ${cycles} cycles, ${acknowledged} acknowledged`)
})
console.log(report)
if (report.violations.length > 0) process.exitCode = 1
else fs.rmSync(dataDir, { recursive: true })
