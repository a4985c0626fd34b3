/**
 * Files that were built, and what from: a manifest beside them has the digest of every file that went in,
 * packages and the build's own scripts among them, of the very bytes that went in. It is replaced last and in
 * one step, so whoever reads meanwhile finds what was there before or what is there now.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const manifestName = 'manifest.json'
/** No digest: of a file that was read twice, and was another the second time. */
const changed = 'changed'

/** The path of a file below the project, as manifests name it. */
export const inputOf = url => relative(root, fileURLToPath(url))

/** Whether nothing was built in `directory`, or from something else than what is here now. */
export function isStale(directory) {
  try {
    const { inputs } = JSON.parse(readFileSync(join(directory, manifestName), 'utf8'))
    return Object.entries(inputs).some(
      ([path, digest]) => digestOf(readFileSync(join(root, path))) !== digest,
    )
  } catch {
    return true
  }
}

/**
 * The files that a build reads, each remembered as it was then: one that changes meanwhile, and back again,
 * makes what was built stale.
 */
export class Inputs {
  #digests = new Map()

  /** @param path Below the project. */
  read(path) {
    const content = readFileSync(join(root, path))
    const digest = digestOf(content)
    const known = this.#digests.get(path) ?? digest
    this.#digests.set(path, known === digest ? digest : changed)
    return content
  }

  /** By which esbuild reads them. */
  get plugin() {
    return {
      name: 'inputs',
      setup: ({ onLoad }) =>
        onLoad({ filter: /./, namespace: 'file' }, ({ path }) => ({
          contents: this.read(relative(root, path)),
          loader: 'default',
        })),
    }
  }

  /** By path. */
  get digests() {
    return Object.fromEntries([...this.#digests].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

/**
 * Writes files, then the manifest with `more` in it, and removes what an earlier build has left. Files
 * are replaced in one step each: a service may be starting from them.
 */
export function writeOutputs(directory, { outputs, inputs, more }) {
  mkdirSync(directory, { recursive: true })
  for (const { name, content } of outputs) replaceFile(join(directory, name), content)
  const manifest = { ...more, inputs: inputs.digests }
  replaceFile(join(directory, manifestName), JSON.stringify(manifest, undefined, 1))
  const written = new Set([manifestName, ...outputs.map(({ name }) => name)])
  for (const name of readdirSync(directory)) {
    if (!written.has(name)) rmSync(join(directory, name), { force: true })
  }
}

/** esbuild's output files by name. */
export const outputsOf = ({ outputFiles }) =>
  outputFiles.map(({ path, contents }) => ({ name: basename(path), content: contents }))

function replaceFile(path, content) {
  const temporary = `${path}.${process.pid}.tmp`
  writeFileSync(temporary, content)
  renameSync(temporary, path)
}

const digestOf = content => createHash('sha256').update(content).digest('base64url')
