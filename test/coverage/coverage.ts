/**
 * `npm run coverage [-- TESTS…]`: branch coverage of the code on which acknowledged events and
 * credentials depend, folder by folder, with each branch that no test takes. Ends with 1 below 95 %.
 *
 * The counts are V8's own, of every process and thread that a test starts: NODE_V8_COVERAGE goes on to
 * children and workers by itself. (tap's own hooks see neither. A process that is killed takes its
 * counts with it.) tap's report, c8 underneath, makes branches of them.
 *
 * Without arguments the tests that matter for these folders run, about ten minutes. `--keep` adds to
 * what earlier runs counted, so that it can be done in pieces; `--report` runs nothing.
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { coveredAreas, testsThatMatter } from './areas.ts'
import { type FileCoverage, filesBelow, uncoveredText, withCode } from './branches.ts'

/** Percent of all branches, in each area. */
const asked = 95

const root = fileURLToPath(new URL('../../', import.meta.url))
/** What V8 wrote, whole: megabytes a process. */
const rawDirectory = join(root, '.tap/v8-coverage')
/** Where tap's report looks; only what it is to count. */
const reducedDirectory = join(root, '.tap/coverage')
const reportPath = join(root, '.tap/report/coverage-final.json')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'boolean' }, report: { type: 'boolean' } },
})
if (!values.report) {
  if (!values.keep) fs.rmSync(rawDirectory, { recursive: true, force: true })
  fs.mkdirSync(rawDirectory, { recursive: true })
  const tests = filesBelow(root, positionals.length > 0 ? positionals : testsThatMatter, '.test.ts')
  const env = { ...process.env, NODE_V8_COVERAGE: rawDirectory }
  // Everything is slower while it is counted.
  const argv = ['--reporter=terse', '--timeout=600', ...tests]
  const { status } = spawnSync('tap', argv, { cwd: root, env, stdio: 'inherit' })
  if (status !== 0) console.log('some tests failed, or were too slow; what they did counts')
  reduce()
}
process.exitCode = report(readReport()) ? 0 : 1

/** Leaves of all that was counted only what lies in the areas, and frees the rest. */
function reduce(): void {
  const urls = Object.values(coveredAreas)
    .flat()
    .map(path => pathToFileURL(join(root, path)).href)
  const isCovered = ({ url }: { readonly url: string }) => urls.some(start => url.startsWith(start))
  for (const name of fs.readdirSync(rawDirectory)) {
    const path = join(rawDirectory, name)
    const reduced = countedIn(fs.readFileSync(path, 'utf8')).filter(isCovered)
    if (reduced.length > 0) fs.writeFileSync(path, JSON.stringify({ result: reduced }))
    else fs.rmSync(path)
  }
}

/** The scripts of a file of V8's; none when its process was killed while writing it. */
function countedIn(text: string): { readonly url: string }[] {
  try {
    return JSON.parse(text).result
  } catch {
    return []
  }
}

/** What tap's report says of each file, by its path below the project. */
function readReport(): Map<string, FileCoverage> {
  fs.rmSync(reducedDirectory, { recursive: true, force: true })
  fs.cpSync(rawDirectory, reducedDirectory, { recursive: true })
  fs.rmSync(reportPath, { force: true })
  const { status, stdout } = spawnSync('tap', ['report', 'json'], { cwd: root, encoding: 'utf8' })
  // It ends with 1 when something is uncovered, too.
  if (!fs.existsSync(reportPath)) throw new Error(`tap report ended with ${status}: ${stdout}`)
  const files: Record<string, FileCoverage> = JSON.parse(fs.readFileSync(reportPath, 'utf8'))
  return new Map(
    Object.entries(files).map(([path, coverage]) => [path.slice(root.length), coverage]),
  )
}

/** Prints what is covered, and returns whether it is enough everywhere. */
function report(files: ReadonlyMap<string, FileCoverage>): boolean {
  const rows: Record<string, { branches: number; uncovered: number; percent: number }> = {}
  for (const [area, paths] of Object.entries(coveredAreas)) {
    let branches = 0
    let uncovered = 0
    for (const path of withCode(root, paths)) {
      const coverage = files.get(path)
      const counts = coverage === undefined ? [0] : Object.values(coverage.b).flat()
      branches += counts.length
      uncovered += counts.filter(count => count === 0).length
      if (coverage === undefined) console.log(`${path}: no test loads it`)
      else for (const line of uncoveredText(root, path, coverage)) console.log(line)
    }
    const percent = Number((100 - (100 * uncovered) / branches).toFixed(1))
    rows[area] = { branches, uncovered, percent }
  }
  console.table(rows)
  return Object.values(rows).every(({ percent }) => percent >= asked)
}
