/** What a browser loads of the page, compressed: to open each view, and what a view asks for later. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { buildPage } from '../../src/build/page.js'

const directory = new URL('../../build/web/', import.meta.url).pathname
const bytesMax = 140 * 1_024
/** With the log viewer, which comes with the frame, and all that a dashboard draws with. */
const dashboardsMax = 152 * 1_024

/** Those of a script that are loaded with it, and those that it may load. */
function importsOf(name: string): { readonly now: string[]; readonly later: string[] } {
  const source = readFileSync(join(directory, name), 'utf8')
  const find = (form: RegExp) => [...source.matchAll(form)].map(([, path]) => path!)
  return {
    now: find(/(?:from|import)"\.\/([^"]+\.js)"/g),
    later: find(/import\("\.\/([^"]+\.js)"\)/g),
  }
}

/** With all that is loaded together with these. */
function withImports(names: readonly string[], found = new Set<string>()): Set<string> {
  for (const name of names) {
    if (found.has(name)) continue
    found.add(name)
    withImports(importsOf(name).now, found)
  }
  return found
}

function bytesOf(names: Iterable<string>): number {
  return [...names].reduce((sum, name) => {
    const compressed = join(directory, `${name}.br`)
    const path = existsSync(compressed) ? compressed : join(directory, name)
    return sum + readFileSync(path).length
  }, 0)
}

t.test('the log viewer with all that it loads later is 140 KiB at most', async t => {
  await buildPage()
  const all = readdirSync(directory).filter(name => /\.(js|css|svg)$/.test(name))
  const entries = all.filter(name => !name.startsWith('part-'))
  const [main = ''] = entries.filter(name => name.startsWith('main-'))
  const frame = withImports(entries.filter(name => name.endsWith('.js')))
  for (const name of entries) frame.add(name)
  const opened = [...new Set(importsOf(main).later)]
    .map(part => ({ part, bytes: bytesOf(withImports([part], new Set(frame))) }))
    .sort((a, b) => a.bytes - b.bytes)
  t.comment(`at first ${bytesOf(frame)} bytes; with a part ${opened.map(({ bytes }) => bytes)}`)
  t.ok(opened.length >= 4, `${opened.length} parts`)
  const [dashboards, settings, ...ofLogs] = opened.toReversed().map(({ part }) => part)
  const logs = bytesOf(withImports(ofLogs, new Set(frame)))
  t.ok(logs <= bytesMax, `the log viewer with all of its parts: ${logs} bytes`)
  t.ok(bytesOf(withImports([settings!], new Set(frame))) <= bytesMax, 'settings, opened first')
  const largest = bytesOf(withImports([dashboards!], new Set(frame)))
  t.ok(largest <= dashboardsMax, `dashboards, opened first: ${largest} bytes`)
})
