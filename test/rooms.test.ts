/**
 * The order of the rooms, as the table of `src/README.md` has it: nothing uses what stands further down. And
 * nothing stands there that nobody uses, or whose lines do not fit a screen. (How long a function may be is
 * Biome's to say: `biome.json`.)
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '..')
const lineCharactersMax = 110

const folders = ['.ci', '.github', 'bench', 'src', 'test']
const settings = [
  '.editorconfig',
  '.gitignore',
  '.taprc',
  'biome.json',
  'package-lock.json',
  'tsconfig.json',
]
const atTop = new Set([...folders, ...settings, 'LICENSE', 'README.md', 'package.json'])

const read = (path: string) => fs.readFileSync(join(root, path), 'utf8')
const sources = fs
  .globSync('src/**/*.{ts,tsx,js}', { cwd: root })
  .filter(path => !path.endsWith('.d.ts'))
  .sort()

/** The names of the table's rooms, such as `query/` and `record.ts`, with the line of each: the order. */
const order = new Map(
  read('src/README.md')
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .flatMap((line, place) => {
      const names = line.split('|')[1]!.matchAll(/`([^`]+)`/g)
      return [...names].map(([, name]) => [name!, place] as const)
    }),
)

/** Before the rooms are there: see the end of `src/README.md`. */
const isBeside = (path: string) => path.startsWith('src/build/')

/** As the table has it: a folder of `src` with a slash, or a file of its own. */
function roomOf(path: string): string {
  const [, first, ...below] = path.split('/')
  return below.length > 0 ? `${first}/` : first!
}

/** What a file imports of ours, by path; types, too. Biome keeps imports in this one form. */
function importsOf(path: string): string[] {
  const imported = read(path).matchAll(/(?:\bfrom |\bimport |\bimport\()'(\.[^']+)'/g)
  return [...imported].map(([, specifier]) => join(dirname(path), specifier!))
}

t.test('every room has its place in the list, and every place its room', async t => {
  const rooms = new Set(sources.filter(path => !isBeside(path)).map(roomOf))
  const hint = 'the first column of the table in src/README.md'
  t.same([...rooms].filter(room => !order.has(room)).sort(), [], `add to ${hint}`)
  t.same([...order.keys()].filter(room => !rooms.has(room)).sort(), [], `remove from ${hint}`)
})

const tracked = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
const skip = tracked.status !== 0 && 'not a clone'

t.test(
  'at the top is what a newcomer looks for, and nothing that a tool left',
  { skip },
  async t => {
    const names = new Set(tracked.stdout.split('\0').map(path => path.split('/')[0]!))
    names.delete('')
    const unknown = [...names].filter(name => !atTop.has(name))
    t.same(unknown, [], 'find it a room, or remove it')
    t.ok(names.has('package.json'))
  },
)

t.test('nothing uses what stands further down', async t => {
  const isDown = (from: string, to: string) =>
    !isBeside(from) && order.get(roomOf(from))! < order.get(roomOf(to))!
  const down = sources.flatMap(from =>
    importsOf(from)
      .filter(to => to.startsWith('src/') && isDown(from, to))
      .map(to => `${from} imports ${to}`),
  )
  const remedy =
    'move what is needed up to the room that needs it first, or say there what is needed (an interface) and ' +
    'have it handed in by service.ts'
  t.same(down, [], remedy)
})

t.test('somebody uses every file', async t => {
  const used = new Set(sources.flatMap(importsOf))
  // Programs, of the machine's Node, of threads and of the page, are named where they are started or built.
  const named = [...sources.filter(isBeside), 'package.json'].map(read).join('\n')
  const isNamed = (path: string) => named.includes(path.replace(/^src\/web\//, ''))
  const unused = sources.filter(path => !used.has(path) && !isNamed(path))
  t.same(unused, [], 'remove the file, or use it')
})

t.test('spans of time are defined once', async t => {
  const form = /\b(?:86_?400_?000|3_?600_?000)\b(?!_)|const (?:second|minute|hour|day)Ms = \d/
  const own = sources.filter(path => path !== 'src/time-units.ts' && form.test(read(path)))
  t.same(own, [], 'take it from src/time-units.ts')
})

t.test('lines fit a screen', async t => {
  const long = sources.flatMap(path =>
    linesWithoutTexts(read(path))
      .map((line, index) => ({ line, place: `${path}:${index + 1}` }))
      .filter(({ line }) => line.length > lineCharactersMax)
      .map(({ place }) => place),
  )
  t.same(long, [], `break the line before ${lineCharactersMax} characters`)
})

/** Lines of code and comments: what they say in quotes, of one line or more, may be longer than a screen. */
function linesWithoutTexts(source: string): string[] {
  let isInTemplate = false
  return source.split('\n').map(line => {
    if (/^\s*(\/?\*|\/\/)/.test(line)) return line
    const isText = isInTemplate
    if ((line.match(/(?<!\\)`/g)?.length ?? 0) % 2 === 1) isInTemplate = !isInTemplate
    return isText ? '' : line.replace(/'[^']*'|"[^"]*"|(?<!\\)`.*|^\s*\/.*\/[a-z]*,?$/g, '')
  })
}
