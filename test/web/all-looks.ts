/**
 * `npm run test:looks -- [--look dark-phone] [NAME...]`: runs the browser tests in the looks that an
 * ordinary run leaves out (`looks.ts`), one file after the other. With names only those files, such as
 * `logs-rows`; with `--look` only that look, for files that an ordinary run has in it too. Ends with 1
 * when something failed; what a failed file said is printed.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { browserTestEnding, filesOfRuns, isLook, type Look, looks, runOf } from './looks.ts'

const { values, positionals } = parseArgs({
  options: { look: { type: 'string' } },
  allowPositionals: true,
})
const { look: wanted } = values
if (wanted !== undefined && !isLook(wanted)) {
  throw new Error(`--look must be one of ${looks.join(', ')}, was ${wanted}`)
}
const names = positionals.map(name => name.replace(/^.*\//, '').replace(browserTestEnding, ''))
const unknown = names.filter(name => runOf(name) === undefined)
if (unknown.length > 0) throw new Error(`no browser tests are called ${unknown.join(', ')}`)

interface Run {
  readonly name: string
  readonly look: Look
}

const runs: readonly Run[] = (wanted === undefined ? looks : [wanted]).flatMap(look =>
  looks
    .filter(own => own !== look || wanted !== undefined)
    .flatMap(own => filesOfRuns[own])
    .filter(name => names.length === 0 || names.includes(name))
    .map(name => ({ name, look })),
)

/** What a test says of which was left out, such as `# SKIP no Chromium`. */
const leftOutPattern = /^ +ok .* # SKIP/gm
/** A browser that hangs would hold up all that follow. */
const runMsMax = 600_000

async function passes({ name, look }: Run): Promise<{ isPassed: boolean; output: string }> {
  const path = fileURLToPath(new URL(`./${name}${browserTestEnding}`, import.meta.url))
  const child = spawn(process.execPath, [path], {
    env: { ...process.env, LOGSTRATA_LOOK: look, TAP_TIMEOUT: '240' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: runMsMax,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const [code] = await once(child, 'close')
  return { isPassed: code === 0, output }
}

const failed: Run[] = []
for (const [at, run] of runs.entries()) {
  const startedAt = performance.now()
  const { isPassed, output } = await passes(run)
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
  const leftOut = output.match(leftOutPattern)?.length ?? 0
  const note = leftOut === 0 ? '' : `, ${leftOut} left out`
  const outcome = isPassed ? 'passed' : 'FAILED'
  console.log(`${at + 1}/${runs.length} ${run.look} ${run.name}: ${outcome}, ${seconds} s${note}`)
  if (isPassed) continue
  failed.push(run)
  console.log(output.trimEnd())
}
console.log(`${runs.length - failed.length} of ${runs.length} passed`)
for (const { name, look } of failed)
  console.log(`failed: npm run test:looks -- --look ${look} ${name}`)
if (failed.length > 0) process.exitCode = 1
