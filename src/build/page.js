/**
 * The page: bundles `src/web` into `build/web`, each file under a name with its content's hash, and
 * compresses it.
 */
import { basename, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { notices } from './notices.js'
import { Inputs, inputOf, isStale, outputsOf, root, writeOutputs } from './outputs.js'

const source = join(root, 'src', 'web')
const directory = join(root, 'build', 'web')
const template = join('src', 'web', 'index.html')

/** Entry points; the template names each as `%name%`. What runs before the first paint is no module. */
const entries = ['main.tsx', 'pages/logs.tsx', 'styles.css', 'icon.svg']
const scripts = ['first-paint.ts']

/** Builds when stale; resolves with whether it was. Rejects with esbuild's words. */
export async function buildPage() {
  if (!isStale(directory)) return false
  const inputs = new Inputs()
  const { bundled, paths } = await bundle(inputs)
  const outputs = []
  const files = {}
  for (const output of bundled) {
    const { name, content } = output
    const encodings = compress(output).filter(variant => variant.content.length < content.length)
    outputs.push(output)
    for (const variant of encodings) {
      outputs.push({ name: name + variant.suffix, content: variant.content })
    }
    files[name] = encodings.map(({ suffix }) => suffix.slice(1))
  }
  outputs.push(notices(paths))
  const html = fillTemplate(inputs.read(template).toString(), bundled)
  writeOutputs(directory, { outputs, inputs, more: { html, files } })
  return true
}

async function bundle(inputs) {
  for (const name of ['./page.js', './notices.js', './outputs.js']) {
    inputs.read(inputOf(new URL(name, import.meta.url)))
  }
  const { build } = await import('esbuild') // Most often nothing is stale.
  const plugins = [inputs.plugin]
  const results = await Promise.all([
    build(bundleOf(entries, { format: 'esm', splitting: true, plugins })),
    build(bundleOf(scripts, { format: 'iife', plugins })),
  ])
  const paths = results.flatMap(({ metafile }) => Object.keys(metafile.inputs))
  return { bundled: results.flatMap(outputsOf), paths }
}

function bundleOf(names, form) {
  return {
    absWorkingDir: root,
    entryPoints: names.map(name => join(source, name)),
    outdir: directory,
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    bundle: true,
    target: ['chrome123', 'firefox120', 'safari17.5'],
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
  }
}

/** The template with the hashed name of each entry in the place of its plain one. */
function fillTemplate(text, outputs) {
  let html = text
  for (const entry of [...entries, ...scripts]) {
    const [stem] = basename(entry).split('.')
    const built = outputs.find(({ name }) => name.startsWith(`${stem}-`) && !name.endsWith('.map'))
    html = html.replaceAll(`%${stem}%`, `/assets/${built.name}`)
  }
  return html
}

/** Source maps are read by few, with developer tools: for them alone they are not in the package twice. */
function compress({ name, content }) {
  if (name.endsWith('.map')) return []
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
  return [
    { suffix: '.br', content: brotliCompressSync(content, brotli) },
    { suffix: '.gz', content: gzipSync(content, { level: 9 }) },
  ]
}
