/**
 * Builds the page: bundles `src/web` into `build/web`, each file under a name with its content's hash, and
 * compresses it. Does nothing, in some 20 ms, when the build there was made from what is here now: the
 * manifest has the digest of every file that went into it, packages and this script among them.
 *
 *   node src/cli/build-web.js            when stale (`npm start` and `npm test` call it)
 *   node src/cli/build-web.js --watch    and again at every change, until stopped
 *
 * Plain JavaScript, for any Node from 18 on: it runs on the machine's own Node. The manifest is replaced
 * last and in one step, so a service that runs meanwhile serves the old page or the new one.
 */
import { createHash } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../..', import.meta.url))
const source = join(root, 'src', 'web')
const target = join(root, 'build', 'web')
const manifestFile = join(target, 'manifest.json')
const self = relative(root, fileURLToPath(import.meta.url))
const template = join('src', 'web', 'index.html')

/** Entry points; the template names each as `%name%`. What runs before the first paint is no module. */
const entries = ['main.tsx', 'styles.css', 'icon.svg']
const scripts = ['first-paint.ts']

if (process.argv.includes('--watch')) {
  await buildWhenStale()
  say('watching src/web')
  let timer
  watch(source, { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(() => buildWhenStale().catch(error => say(error.message)), 50)
  })
} else {
  try {
    await buildWhenStale()
  } catch (error) {
    say(`the page was not built: ${error.message}`)
    process.exit(1)
  }
}

async function buildWhenStale() {
  if (!isStale()) return
  const startedAt = Date.now()
  const { outputs, inputs } = await bundle()
  const files = {}
  const written = new Set([basename(manifestFile)])
  const write = (name, content) => {
    writeFileSync(join(target, name), content)
    written.add(name)
  }
  mkdirSync(target, { recursive: true })
  for (const output of outputs) {
    const { name, content } = output
    const encodings = compress(output).filter(variant => variant.content.length < content.length)
    write(name, content)
    for (const variant of encodings) write(name + variant.suffix, variant.content)
    files[name] = encodings.map(({ suffix }) => suffix.slice(1))
  }
  const manifest = { html: fillTemplate(outputs), files, inputs: digestsOf(inputs) }
  writeFileSync(`${manifestFile}.tmp`, JSON.stringify(manifest, undefined, 1))
  renameSync(`${manifestFile}.tmp`, manifestFile)
  for (const name of readdirSync(target)) {
    if (!written.has(name)) rmSync(join(target, name), { force: true })
  }
  say(`built the page in ${Date.now() - startedAt} ms`)
}

async function bundle() {
  const results = await Promise.all([
    bundleEntries(entries, { format: 'esm', splitting: true }),
    bundleEntries(scripts, { format: 'iife' }),
  ])
  const outputs = results.flatMap(({ outputFiles }) =>
    outputFiles.map(({ path, contents }) => ({ name: basename(path), content: contents })),
  )
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile.inputs))
  return { outputs, inputs: [...inputs, template, self] }
}

function bundleEntries(names, form) {
  return build({
    absWorkingDir: root,
    entryPoints: names.map(name => join(source, name)),
    outdir: target,
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    bundle: true,
    target: ['chrome117', 'firefox119', 'safari17.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'copy' },
    minify: true,
    sourcemap: 'linked',
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
    ...form,
  })
}

/** The template with the hashed name of each entry in the place of its plain one. */
function fillTemplate(outputs) {
  let html = readFileSync(join(root, template), 'utf8')
  for (const entry of [...entries, ...scripts]) {
    const [stem] = entry.split('.')
    const built = outputs.find(({ name }) => name.startsWith(`${stem}-`) && !name.endsWith('.map'))
    html = html.replaceAll(`%${stem}%`, `/assets/${built.name}`)
  }
  return html
}

/** Source maps are read by few, and large: they are compressed fast, not small. */
function compress({ name, content }) {
  const isMap = name.endsWith('.map')
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: isMap ? 4 : 11 } }
  return [
    { suffix: '.br', content: brotliCompressSync(content, brotli) },
    { suffix: '.gz', content: gzipSync(content, { level: isMap ? 6 : 9 }) },
  ]
}

function isStale() {
  try {
    const { inputs } = JSON.parse(readFileSync(manifestFile, 'utf8'))
    return Object.entries(inputs).some(([path, digest]) => digestOf(path) !== digest)
  } catch {
    return true
  }
}

function digestsOf(paths) {
  return Object.fromEntries(paths.map(path => [path, digestOf(path)]))
}

function digestOf(path) {
  return createHash('sha256')
    .update(readFileSync(join(root, path)))
    .digest('base64url')
}

function say(text) {
  process.stderr.write(`logstrata: ${text}\n`)
}
