/** What a browser loads of the page, compressed: to open each view, and what a view asks for later. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { buildPage } from '../../src/build/page.js'

const directory = new URL('../../build/web/', import.meta.url).pathname
const bytesMax = 140 * 1_024
/** Beside the log viewer: each is a file in `src/web/pages/`. */
const otherViews = ['alerts', 'dashboards', 'settings', 'trace']

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

/** All that the log viewer may load, whatever of it asks, but the other views and what is of these alone. */
function ownParts(first: ReadonlySet<string>, isOther: (name: string) => boolean): string[] {
  const found = new Set<string>()
  const look = (names: Iterable<string>) => {
    for (const name of names) {
      for (const part of importsOf(name).later) {
        if (found.has(part) || isOther(part)) continue
        found.add(part)
        look(withImports([part]))
      }
    }
  }
  look(first)
  return [...found]
}

/** The names of the views that a part is made of. */
function viewsIn(name: string): string[] {
  return sourcesOf(name).flatMap(path => /src\/web\/pages\/(\w+)\.tsx$/.exec(path)?.[1] ?? [])
}

function sourcesOf(name: string): readonly string[] {
  return JSON.parse(readFileSync(join(directory, `${name}.map`), 'utf8')).sources
}

function bytesOf(names: Iterable<string>): number {
  return [...names].reduce((sum, name) => {
    const compressed = join(directory, `${name}.br`)
    const path = existsSync(compressed) ? compressed : join(directory, name)
    return sum + readFileSync(path).length
  }, 0)
}

t.test(
  'each view opened first is 140 KiB at most, the logs with all that they load later',
  async t => {
    await buildPage()
    const all = readdirSync(directory).filter(name => /\.(js|css|svg)$/.test(name))
    const [logs = '', ...others] = all.filter(name => name.startsWith('logs-'))
    t.same(others, [], 'the log viewer is one file')
    const entries = all.filter(name => !name.startsWith('part-') && name !== logs)
    const [main = ''] = entries.filter(name => name.startsWith('main-'))
    const frame = withImports(entries.filter(name => name.endsWith('.js')))
    for (const name of entries) frame.add(name)
    t.notOk(frame.has(logs), 'the frame does without the log viewer')
    const first = withImports([logs], new Set(frame))
    const views = importsOf(main).later
    const ofView = (part: string) => otherViews.find(view => viewsIn(part).includes(view))
    const isOfNext = (part: string) =>
      sourcesOf(part).some(path => path.endsWith('src/web/dashboards/add-query.ts'))
    const isOther = (part: string) => part === logs || ofView(part) !== undefined || isOfNext(part)
    const own = ownParts(first, isOther)
    const isDialog = (part: string) =>
      sourcesOf(part).some(path => path.endsWith('src/web/logs/widget-dialog.tsx'))
    t.equal(own.filter(isDialog).length, 1, 'with the dialog that makes a widget')
    const whole = bytesOf(withImports(own, new Set(first)))
    t.comment(`the log viewer: ${bytesOf(first)} bytes at first, ${whole} with ${own.length} parts`)
    t.ok(
      own.length >= 3 && whole <= bytesMax,
      `the log viewer with all of its parts: ${whole} bytes`,
    )
    t.ok(views.includes(logs), 'the frame loads the log viewer where it is shown')
    const [next] = readdirSync(directory).filter(
      name => /^part-.*\.js$/.test(name) && isOfNext(name),
    )
    const boards = views.find(part => ofView(part) === 'dashboards')!
    const ofBoards = withImports([boards], new Set(frame))
    const more = [...withImports([next!], new Set(first))].filter(
      part => !first.has(part) && !ofBoards.has(part),
    )
    t.same(more, [next], 'what puts the widget there is what the dashboard needs that opens next')
    for (const part of new Set(views)) {
      const view = ofView(part)
      if (view === undefined) continue
      const bytes = bytesOf(withImports([part], new Set(frame)))
      t.ok(bytes <= bytesMax, `${view}, opened first: ${bytes} bytes`)
    }
    const apart = new Set(views.map(ofView).filter(view => view !== undefined))
    t.equal(apart.size, otherViews.length, 'each of the other views is a part')
  },
)

t.test('what several views share is in one file', async t => {
  await buildPage()
  const shared = readFileSync(new URL('../../src/web/shared.ts', import.meta.url), 'utf8')
  const modules = [...shared.matchAll(/^import '\.\/(.+)'$/gm)].map(([, path]) => `src/web/${path}`)
  t.ok(modules.length > 20)
  const parts = readdirSync(directory).filter(name => name.endsWith('.js'))
  const placeOf = (path: string) =>
    parts.find(part => sourcesOf(part).some(source => source.endsWith(path)))
  const [place] = modules.map(placeOf)
  const apart = modules.filter(path => ![place, undefined].includes(placeOf(path)))
  t.same(apart, [], 'a part that is loaded by itself does not import src/web/shared.ts')
})
