/**
 * The service and the programs of its threads as plain JavaScript, in one folder: types are gone, what
 * several of them need stands once, packages stay in node_modules. So a start reads a few files and not
 * hundreds, and no thread strips types, which would slow its loops for ever (`src/build/README.md`).
 */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { inputOf, isStale, outputsOf, root, writeOutputs } from './outputs.js'

const directory = join(root, 'build', 'server')

/** The program itself, and what runs in threads of its own; each keeps its name. */
const programs = [
  'src/main.ts',
  'src/ingest/ingest-worker.ts',
  'src/query/scan-worker.ts',
  'src/store/maintain/scrub-worker.ts',
  'src/store/maintain/seal-worker.ts',
  'src/store/tail/tail-worker.ts',
]

/** Files that are read as they are. */
const copied = ['src/http/openapi/docs.css']

/** Builds when stale; resolves with whether it was. Rejects with esbuild's words. */
export async function buildServer() {
  if (!isStale(directory)) return false
  const result = await build({
    absWorkingDir: root,
    entryPoints: programs,
    outdir: directory,
    entryNames: '[name]',
    chunkNames: 'part-[hash]',
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node22',
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
  })
  const copies = copied.map(path => ({
    name: basename(path),
    content: readFileSync(join(root, path)),
  }))
  const inputs = [
    ...Object.keys(result.metafile.inputs),
    ...copied,
    ...['./server.js', './outputs.js'].map(name => inputOf(new URL(name, import.meta.url))),
  ]
  writeOutputs(directory, { outputs: [...outputsOf(result), ...copies], inputs })
  return true
}
