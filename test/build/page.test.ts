/** The page as it is built, in a copy of the project: other tests run and pack what is built in this one. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { projectRoot } from '../built.ts'

const root = t.testdir()
const built = join(root, 'build/web')
const manifestFile = join(built, 'manifest.json')

interface Manifest {
  readonly html: string
  readonly files: Readonly<Record<string, readonly string[]>>
  inputs: Record<string, string>
}

const build = (...flags: readonly string[]) =>
  execFileSync(process.execPath, [...flags, join(root, 'src/build/build.js')], { stdio: 'pipe' })
const readManifest = (): Manifest => JSON.parse(readFileSync(manifestFile, 'utf8'))
const writtenAt = () => statSync(manifestFile).mtimeMs

/** Bytes of a file as a browser gets it. */
function weight(name: string): number {
  const { files } = readManifest()
  const [ending] = files[name]!
  return statSync(join(built, ending === undefined ? name : `${name}.${ending}`)).size
}

t.before(() => {
  for (const name of ['src', 'package.json']) {
    cpSync(join(projectRoot, name), join(root, name), { recursive: true })
  }
  symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'))
  build()
})

t.test('the page is built anew exactly when something that went into it changed', async t => {
  const first = writtenAt()
  build()
  t.equal(writtenAt(), first, 'nothing changed')

  const manifest = readManifest()
  for (const input of ['src/web/main.tsx', 'src/web/index.html', 'src/build/page.js']) {
    t.ok(input in manifest.inputs, input)
  }
  t.ok(Object.keys(manifest.inputs).some(path => path.includes('node_modules/preact/')))
  writeFileSync(
    manifestFile,
    JSON.stringify({ ...manifest, inputs: { ...manifest.inputs, 'package.json': 'x' } }),
  )
  build()
  t.same(readManifest(), manifest, 'the same sources give the same page')

  writeFileSync(manifestFile, 'damaged')
  build()
  t.same(readManifest(), manifest)
})

t.test('a source that was another only while it was read is built again', async t => {
  const manifest = readManifest()
  const file = join(root, 'src/web/main.tsx')
  const source = readFileSync(file, 'utf8')
  writeFileSync(file, `${source}\nconsole.info('for a moment')\n`)
  // Once all is bundled, and before anything is written, what was there before is there again.
  const restores = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    const { mkdirSync } = fs
    fs.mkdirSync = (...args) => {
      fs.writeFileSync(${JSON.stringify(file)}, ${JSON.stringify(source)})
      return mkdirSync(...args)
    }
    syncBuiltinESMExports()`
  build('--import', `data:text/javascript,${encodeURIComponent(restores)}`)
  t.equal(readFileSync(file, 'utf8'), source)
  t.not(readManifest().html, manifest.html, 'what was built is of what stood there for a moment')
  build()
  t.same(readManifest(), manifest)
})

t.test(
  'a file that is read twice, and is another the second time, makes a build stale',
  async t => {
    const { Inputs, isStale, writeOutputs } = await import(join(root, 'src/build/outputs.js'))
    const directory = join(root, 'build/twice')
    const path = 'src/web/first-paint.ts'
    const source = readFileSync(join(root, path), 'utf8')
    const readTwice = (first: string, second: string) => {
      const inputs = new Inputs()
      for (const text of [first, second]) {
        writeFileSync(join(root, path), text)
        inputs.read(path)
      }
      writeFileSync(join(root, path), source)
      writeOutputs(directory, { outputs: [], inputs })
      return isStale(directory)
    }
    t.equal(readTwice(source, source), false)
    t.equal(readTwice(source, `${source}\n`), true)
    t.equal(readTwice(`${source}\n`, source), true)
  },
)

t.test('the page names only what was built, and has no script or style inside', async t => {
  const { html, files } = readManifest()
  const named = [...html.matchAll(/(?:src|href)="\/assets\/([^"]+)"/g)].map(([, name]) => name!)
  t.equal(named.length, 4)
  for (const name of named) t.ok(name in files && existsSync(join(built, name)), name)
  t.notMatch(html, /%|<style|style=|<script>|\son\w+=|https?:/)
  for (const [name, endings] of Object.entries(files)) {
    for (const ending of endings) t.ok(existsSync(join(built, `${name}.${ending}`)), name)
  }
})

t.test('the page weighs little', async t => {
  const names = Object.keys(readManifest().files).filter(name => !name.endsWith('.map'))
  const sum = (all: readonly string[]) => all.reduce((total, name) => total + weight(name), 0)
  const script = sum(names.filter(name => name.endsWith('.js')))
  // All that there is; what one view of it loads, `page-size.test.ts` looks at.
  t.ok(script < 180 * 1024, `${script} bytes of script`)
  t.ok(sum(names) < 200 * 1024)
})
