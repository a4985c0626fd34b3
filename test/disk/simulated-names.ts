/**
 * The names of the simulated disk: a tree of directories as programs see it, the same as it is on the
 * device, and the changes between the two.
 *
 * A change of names (a file or directory made, renamed, linked, removed) is atomic. It is durable when
 * a directory that it changes was synced; before that, a power cut leaves any of the changes and takes
 * the others, in any order. A directory whose own name was not synced is gone with all that is in it.
 */
import { basename, dirname } from 'node:path'
import type { Random } from '../../bench/random.ts'
import { SimulatedFile } from './simulated-file.ts'

type Entries = Map<string, SimulatedFile | SimulatedDirectory>

export class SimulatedDirectory {
  readonly seen: Entries = new Map()
  readonly kept: Entries = new Map()
}

/** What a name stands for from now on; undefined: nothing. */
interface Edit {
  readonly directory: SimulatedDirectory
  readonly name: string
  readonly node: SimulatedFile | SimulatedDirectory | undefined
}

export class SimulatedNames {
  readonly #root = new SimulatedDirectory()
  /** Not durable yet, oldest first. */
  #changes: (readonly Edit[])[] = []
  readonly #onLost: (file: SimulatedFile) => void

  /** `onLost` is told of files that a name on the device no longer leads to. */
  constructor(onLost: (file: SimulatedFile) => void) {
    this.#onLost = onLost
  }

  /** What a path leads to, or undefined. */
  find(path: string): SimulatedFile | SimulatedDirectory | undefined {
    let node: SimulatedFile | SimulatedDirectory | undefined = this.#root
    for (const name of path.split('/').filter(name => name !== '')) {
      if (!(node instanceof SimulatedDirectory)) return undefined
      node = node.seen.get(name)
    }
    return node
  }

  directory(path: string): SimulatedDirectory {
    const node = this.find(path)
    if (node instanceof SimulatedDirectory) return node
    throw failure(node === undefined ? 'ENOENT' : 'ENOTDIR', path)
  }

  file(path: string): SimulatedFile {
    const node = this.find(path)
    if (node instanceof SimulatedFile) return node
    throw failure(node === undefined ? 'ENOENT' : 'EISDIR', path)
  }

  /** Points names at other files, all or none. */
  set(...meanings: readonly (readonly [path: string, node: Edit['node']])[]): void {
    const edits = meanings.map(([path, node]) => {
      return { directory: this.directory(dirname(path)), name: basename(path), node }
    })
    for (const edit of edits) apply(edit, edit.directory.seen)
    this.#changes.push(edits)
  }

  sync(directory: SimulatedDirectory): void {
    // A change of two directories brings with it what came before it in the other.
    const involved = new Set([directory])
    const durable = new Set<readonly Edit[]>()
    for (const change of this.#changes.toReversed()) {
      if (!change.some(edit => involved.has(edit.directory))) continue
      durable.add(change)
      for (const edit of change) involved.add(edit.directory)
    }
    this.#keep(this.#changes.filter(change => durable.has(change)))
    this.#changes = this.#changes.filter(change => !durable.has(change))
  }

  /** Drops each change that is not durable, but for a share of them. What is seen is what was kept. */
  cut(random: Random, share: number): void {
    this.#keep(this.#changes.filter(() => random.unit() < share))
    this.#changes = []
  }

  /** All files that the device has names for, with their paths. */
  *keptFiles(): Generator<readonly [path: string, file: SimulatedFile]> {
    yield* filesBelow('', this.#root)
  }

  /** All directories that the device has names for, the upper ones first. */
  *keptDirectories(): Generator<string> {
    yield* directoriesBelow('', this.#root)
  }

  #keep(changes: readonly (readonly Edit[])[]): void {
    for (const edit of changes.flat()) {
      const before = edit.directory.kept.get(edit.name)
      apply(edit, edit.directory.kept)
      if (before instanceof SimulatedFile && before !== edit.node) this.#onLost(before)
    }
  }
}

function apply({ name, node }: Edit, entries: Entries): void {
  if (node === undefined) entries.delete(name)
  else entries.set(name, node)
}

function* filesBelow(
  path: string,
  directory: SimulatedDirectory,
): Generator<readonly [string, SimulatedFile]> {
  for (const [name, node] of directory.kept) {
    if (node instanceof SimulatedFile) yield [`${path}/${name}`, node]
    else yield* filesBelow(`${path}/${name}`, node)
  }
}

function* directoriesBelow(path: string, directory: SimulatedDirectory): Generator<string> {
  for (const [name, node] of directory.kept) {
    if (!(node instanceof SimulatedDirectory)) continue
    yield `${path}/${name}`
    yield* directoriesBelow(`${path}/${name}`, node)
  }
}

/** An error as Node's functions throw it. */
export function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code })
}
