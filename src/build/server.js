/**
 * The service and the programs of its threads as plain JavaScript, in one folder: types are gone, what
 * several of them need stands once, packages of plain JavaScript among it. So a start reads a few files and
 * not a thousand, and no thread strips types, which would slow its loops for ever (`src/build/README.md`).
 */
import { basename, join } from 'node:path'
import { notices } from './notices.js'
import { Inputs, inputOf, isStale, outputsOf, root, writeOutputs } from './outputs.js'

const directory = join(root, 'build', 'server')

/** The program itself, and what runs in threads of its own; each keeps its name. */
const programs = [
  'src/main.ts',
  'src/http/body/decode-worker.ts',
  'src/ingest/ingest-worker.ts',
  'src/query/scan-worker.ts',
  'src/store/clickhouse/clickhouse-worker.ts',
  'src/store/maintain/scrub-worker.ts',
  'src/store/maintain/seal-worker.ts',
  'src/store/tail/tail-worker.ts',
]

/**
 * Packages that stay in node_modules: they have native parts, start threads from files of their own, or
 * are large and seldom needed (nodemailer: 440 KB for the first alert that is mailed).
 */
const external = [
  '@clickhouse/client',
  'lmdb',
  'msgpackr',
  'nodemailer',
  'ordered-binary',
  'pino',
  'piscina',
  'uWebSockets.js',
]

/** What packages written for `require` find when they ask for a module of Node. */
const requireOfNode = `import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)`

/** Files that are read as they are. */
const copied = ['src/http/openapi/docs.css']

/** Builds when stale; resolves with whether it was. Rejects with esbuild's words. */
export async function buildServer() {
  if (!isStale(directory)) return false
  const inputs = new Inputs()
  for (const name of ['./server.js', './notices.js', './outputs.js']) {
    inputs.read(inputOf(new URL(name, import.meta.url)))
  }
  const { build } = await import('esbuild') // Most often nothing is stale.
  const result = await build({
    absWorkingDir: root,
    entryPoints: programs,
    outdir: directory,
    entryNames: '[name]',
    chunkNames: 'part-[hash]',
    bundle: true,
    splitting: true,
    external,
    banner: { js: requireOfNode },
    platform: 'node',
    format: 'esm',
    target: 'node22',
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
    plugins: [inputs.plugin],
  })
  const copies = copied.map(path => ({ name: basename(path), content: inputs.read(path) }))
  const licences = notices(Object.keys(result.metafile.inputs))
  writeOutputs(directory, { outputs: [...outputsOf(result), ...copies, licences], inputs })
  return true
}
