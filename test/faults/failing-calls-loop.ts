/** `npm run failing-calls -- N [FIRST]`: lets each of the first N calls of each kind fail, from FIRST on. */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FailingCalls, failuresOf, parts } from './failing-calls.ts'
import { type Call, noFaultyDisk } from './faulty-disk.ts'

/** A run takes seconds. One that does not end has met a request that is never answered. */
const patienceMs = 120_000

if (noFaultyDisk) throw new Error(noFaultyDisk)
const last = Number(process.argv[2] ?? 20)
const first = Number(process.argv[3] ?? 1)
const directory = fs.mkdtempSync(join(tmpdir(), 'logstrata-failing-calls-'))
const calls = await FailingCalls.start(directory)
const totals = { tried: 0, happened: 0, ended: 0, violations: 0 }
const only = process.argv[4] ?? ''
for (const part of parts.filter(part => part.includes(only))) {
  for (const [call, failures] of Object.entries(failuresOf) as [
    Call,
    (typeof failuresOf)[Call],
  ][]) {
    for (const failure of failures) {
      for (let nth = first; nth <= last; nth++) {
        const what = `${part} ${call} ${failure} ${nth}`
        const hung = setTimeout(() => {
          console.log(`${what}: a request is never answered; left to look at: ${directory}`)
          process.exit(1)
        }, patienceMs)
        const report = await calls.run({ part, call, failure, nth })
        clearTimeout(hung)
        totals.tried++
        if (report.happened) totals.happened++
        if (report.exit !== undefined) totals.ended++
        totals.violations += report.violations.length
        const refused = [...new Set(report.refusals)].join(' ') || 'none'
        const end = report.exit ?? 'went on'
        console.log(`${what}: ${end}, refusals ${refused}`)
        for (const violation of report.violations.slice(0, 5)) console.log(`  ${violation}`)
        if (!report.happened) break // Clean: so many such calls are not made.
      }
    }
  }
}
await calls.end()
console.log({ ...totals, acknowledged: calls.acknowledged })
if (totals.violations > 0) process.exitCode = 1
else fs.rmSync(directory, { recursive: true })
