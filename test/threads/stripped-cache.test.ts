import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import t, { type Test } from 'tap'

type Cache = typeof import('../../src/threads/stripped-cache.js')

const programFiles = ['start.js', 'threads/source-hooks.cjs', 'threads/stripped-cache.js']

/** Tells what it ran, whether Node's stripper was loaded, and where an error was made. */
const main = `
import { part } from './part.ts'
interface Removed {
  readonly lines: 'these'
}
const { moduleLoadList } = process as unknown as { moduleLoadList: readonly string[] }
const strips: boolean = moduleLoadList.some(name => name.includes('amaro'))
const at: string = /main\\.ts:\\d+:\\d+/.exec(new Error(part as string).stack!)![0]
console.log(JSON.stringify({ part, strips, at }))
`
const place = 'main.ts:8:44'

/** A small program with the real start. */
function project(t: Test, more: object = {}) {
  const directory = t.testdir({
    'package.json': '{"type":"module"}',
    src: { 'main.ts': main, 'part.ts': 'export const part: number = 1', threads: {}, ...more },
  })
  for (const file of programFiles) {
    fs.copyFileSync(join(import.meta.dirname, '../../src', file), join(directory, 'src', file))
  }
  const inProject = (file: string) => join(directory, file)
  return {
    inProject,
    cacheFile: inProject('build/stripped.jsonl'),
    url: (file: string) => pathToFileURL(inProject(`src/${file}`)).href,
    write: (file: string, text: string) => fs.writeFileSync(inProject(`src/${file}`), text),
  }
}

type Project = ReturnType<typeof project>

async function run({ inProject }: Project, program = 'start.js'): Promise<unknown> {
  const child = spawn(process.execPath, [inProject(`src/${program}`)], { env: {} })
  let output = ''
  child.stdout.on('data', part => {
    output += part
  })
  child.stderr.on('data', part => {
    output += part
  })
  await once(child, 'close')
  return output.startsWith('{') && output.endsWith('}\n') ? JSON.parse(output) : output
}

let startCount = 0

/** The cache as a process finds it that starts now. */
function start({ url }: Project): Promise<Cache> {
  return import(`${url('threads/stripped-cache.js')}?${++startCount}`)
}

/** The text of `part.ts` for a process that starts now, and how many files it had to strip. */
async function startsWith(project: Project): Promise<[text: string | undefined, strips: number]> {
  const { stripTypeScriptTypes } = module
  let strips = 0
  module.stripTypeScriptTypes = text => {
    strips++
    return stripTypeScriptTypes(text)
  }
  try {
    const cache = await start(project)
    const text = cache.strippedText(project.url('part.ts'))
    cache.keepStripped()
    return [text, strips]
  } finally {
    module.stripTypeScriptTypes = stripTypeScriptTypes
  }
}

const partOf = (value: number) => `export const part         = ${value}`

t.test('what the first start strips, the next runs without the stripper', async t => {
  const small = project(t)
  t.same(await run(small), { part: 1, strips: true, at: place })
  t.same(await run(small), { part: 1, strips: false, at: place })
  t.same(await run(small, 'main.ts'), { part: 1, strips: true, at: place }, 'as without the cache')
})

t.test('a changed file is stripped again, and no other', async t => {
  const small = project(t)
  await run(small)
  const { mtime } = fs.statSync(small.inProject('src/part.ts'))
  small.write('part.ts', 'export const part: number = 2')
  fs.utimesSync(small.inProject('src/part.ts'), mtime, mtime)
  t.same(
    await startsWith(small),
    [partOf(2), 1],
    'though neither its size nor its time has changed',
  )
  t.same(await startsWith(small), [partOf(2), 0])
  t.same(await run(small), { part: 2, strips: false, at: place }, 'the others were kept')
})

t.test('texts of files that are gone are not kept for ever', async t => {
  const small = project(t, { 'gone.ts': 'export const gone: 1 = 1' })
  const cache = await start(small)
  cache.strippedText(small.url('gone.ts'))
  cache.keepStripped()
  const isKept = () => fs.readFileSync(small.cacheFile, 'utf8').includes('gone')
  t.equal(isKept(), true)
  fs.rmSync(small.inProject('src/gone.ts'))
  await startsWith(small)
  t.equal(isKept(), false)
})

t.test('a cache that is cut or damaged anywhere is made again, and never run', async t => {
  const small = project(t)
  await startsWith(small)
  const whole = fs.readFileSync(small.cacheFile)
  const heals = async (damaged: Uint8Array) => {
    fs.writeFileSync(small.cacheFile, damaged)
    const [text] = await startsWith(small)
    if (text !== partOf(1)) throw new Error(`ran ${text}`)
    const [again, strips] = await startsWith(small)
    if (again !== partOf(1) || strips > 0) throw new Error('not kept again')
  }
  const place = fc.nat(whole.length - 1)
  await fc.assert(
    fc.asyncProperty(place, end => heals(whole.subarray(0, end))),
    { numRuns: 50 },
  )
  await fc.assert(
    fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), (at, flip) =>
      heals(whole.map((byte, i) => (i === at ? byte ^ flip : byte))),
    ),
    { numRuns: 150 },
  )
  await heals(Buffer.from('{}\n{}'))
  await heals(Buffer.from('null\nnull'))
})

t.test('what another version of Node has stripped is not used', async t => {
  const small = project(t)
  await startsWith(small)
  const [head, body] = fs.readFileSync(small.cacheFile, 'utf8').split('\n')
  const node = 'v22.18.0'
  fs.writeFileSync(small.cacheFile, `${JSON.stringify({ ...JSON.parse(head!), node })}\n${body}`)
  t.same(await startsWith(small), [partOf(1), 1])
})

t.test('where nothing can be written, every start strips, and leaves nothing behind', async t => {
  const stripsAlways = async (small: Project) => {
    t.same(await run(small), { part: 1, strips: true, at: place })
    t.same(await run(small), { part: 1, strips: true, at: place })
  }
  const small = project(t)
  fs.writeFileSync(small.inProject('build'), 'a file is in the way of the folder')
  await stripsAlways(small)
  fs.rmSync(small.inProject('build'))
  fs.mkdirSync(small.cacheFile, { recursive: true })
  await stripsAlways(small)
  t.same(fs.readdirSync(small.inProject('build')), ['stripped.jsonl'])
})

t.test('first starts at once do each other no harm', async t => {
  const small = project(t)
  for (const ran of await Promise.all(Array.from({ length: 4 }, () => run(small)))) {
    t.match(ran, { part: 1, at: place })
  }
  t.same(await run(small), { part: 1, strips: false, at: place })
  t.same(fs.readdirSync(small.inProject('build')), ['stripped.jsonl'])
})

t.test('what two processes have stripped is kept of both', async t => {
  const small = project(t)
  const [one, two] = [await start(small), await start(small)]
  one.strippedText(small.url('part.ts'))
  two.strippedText(small.url('main.ts'))
  one.keepStripped()
  two.keepStripped()
  t.match(await run(small), { strips: false })
})

t.test('a file that is at fault is named by Node, as without the cache', async t => {
  const says = async (part: string | undefined, expected: RegExp) => {
    const small = project(t)
    await run(small)
    if (part === undefined) fs.rmSync(small.inProject('src/part.ts'))
    else small.write('part.ts', part)
    t.match(await run(small), expected)
    t.match(await run(small, 'main.ts'), expected)
  }
  await says('export const part: = 1', /part\.ts[\s\S]*SyntaxError/)
  await says(undefined, /Cannot find module .*part\.ts' imported from/)
})
