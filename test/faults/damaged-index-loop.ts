/** `npm run damaged-index -- N [FIRST]`: damages an index in N ways, from seed FIRST on. */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tryDamages } from './damaged-index-tries.ts'

const count = Number(process.argv[2] ?? 1_000)
const from = Number(process.argv[3] ?? 1)
const directory = fs.mkdtempSync(join(tmpdir(), 'logstrata-damaged-index-'))
const { violations, ...rest } = await tryDamages(directory, { from, count })
for (const violation of violations.slice(0, 20)) console.log(violation)
console.log({ ...rest, violations: violations.length })
fs.rmSync(directory, { recursive: true })
if (violations.length > 0) process.exitCode = 1
