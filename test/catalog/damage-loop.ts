/** `npm run catalog-damage -- COUNT [SEED]`: damages a catalog in COUNT ways, one after the other. */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { damage, makeSample, startOn } from './damage.ts'

const count = Number(process.argv[2] ?? 1_000)
const first = Number(process.argv[3] ?? 1)
const directory = fs.mkdtempSync(join(tmpdir(), 'logstrata-catalog-damage-'))
const sample = await makeSample(join(directory, 'sample'))
const totals = { tried: 0, unharmed: 0, told: 0, refused: 0, violations: 0 }
for (let seed = first; seed < first + count; seed++) {
  const { what, bytes } = damage(sample.file, seed)
  const { kind, violations } = await startOn(join(directory, 'damaged'), sample, bytes)
  totals.tried++
  totals[kind]++
  totals.violations += violations.length
  for (const violation of violations.slice(0, 3)) console.log(`seed ${seed}, ${what}: ${violation}`)
}
console.log(totals)
fs.rmSync(directory, { recursive: true })
if (totals.violations > 0) process.exitCode = 1
