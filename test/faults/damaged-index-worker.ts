/**
 * Damages an index in one way after the other, and prints a line of JSON for each. LMDB may end the process:
 * whoever started it starts it again, on the directory as it is, and sees what comes up.
 */
import fs from 'node:fs'
import { join } from 'node:path'
import { openAndLook, tryDamage } from './damaged-index.ts'

const [dataDir = '', goodIndex = '', from = '', to = '', isAgain = ''] = process.argv.slice(2)
const entries = JSON.parse(fs.readFileSync(`${goodIndex}.entries`, 'utf8')) as string[]
const good = { index: fs.readFileSync(goodIndex), entries }
if (isAgain !== '') {
  const seen = await openAndLook(dataDir)
  const isRight = seen.entries.join('\n') === entries.join('\n')
  const violations = isRight ? [] : ['entries are wrong after a death']
  fs.writeSync(1, `${JSON.stringify({ seed: Number(from), again: true, violations })}\n`)
}
for (let seed = Number(from) + (isAgain === '' ? 0 : 1); seed < Number(to); seed++) {
  // A mark that another try has left would have the index built anew, whatever is in it.
  fs.rmSync(join(dataDir, 'index.open'), { force: true })
  const tried = await tryDamage(dataDir, seed, good)
  fs.writeSync(1, `${JSON.stringify({ seed, ...tried })}\n`)
}
