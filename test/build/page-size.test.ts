/** What a browser loads of the page, compressed: to open each view, and what a view asks for later. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { buildPage } from '../../src/build/page.js'

const directory = new URL('../../build/web/', import.meta.url).pathname
const bytesMax = 140 * 1_024
/** With the log viewer, which comes with the frame, and all that a dashboard draws with. */
const dashboardsMax = 156 * 1_024
/** Of which the log viewer is none: each is a file in `src/web/pages/`. */
const otherViews = ['alerts', 'dashboards', 'settings']

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

/** The names of the views that a part is made of. */
function sourcesOf(name: string): string[] {
  const { sources } = JSON.parse(readFileSync(join(directory, `${name}.map`), 'utf8'))
  return (sources as string[]).flatMap(path => /src\/web\/pages\/(\w+)\.tsx$/.exec(path)?.[1] ?? [])
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
  const parts = [...new Set(importsOf(main).later)]
  const ofView = (part: string) => otherViews.find(view => sourcesOf(part).includes(view))
  const own = parts.filter(part => ofView(part) === undefined)
  const logs = bytesOf(withImports(own, new Set(frame)))
  t.comment(`the log viewer: ${bytesOf(frame)} bytes at first, ${logs} with ${own.length} parts`)
  t.ok(own.length >= 3 && logs <= bytesMax, `the log viewer with all of its parts: ${logs} bytes`)
  for (const part of parts) {
    const view = ofView(part)
    if (view === undefined) continue
    const bytes = bytesOf(withImports([part], new Set(frame)))
    const max = view === 'dashboards' ? dashboardsMax : bytesMax
    t.ok(bytes <= max, `${view}, opened first: ${bytes} bytes`)
  }
  t.equal(parts.length - own.length, otherViews.length, 'each of the other views is a part')
})
