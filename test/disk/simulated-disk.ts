/**
 * A disk in memory that can lose its power after any operation. `simulated-file.ts` and
 * `simulated-names.ts` say what is then left: all that was synced, and any part of the rest.
 *
 * A disk object is one process's view of the machine. After `cutAfter` operations that change something
 * every call throws PowerCut, as for a process that is no more; `afterPowerCut` is the same machine with
 * its power back, `afterKill` one on which only the process died, so that the page cache is still there.
 * All chance comes from the one generator, so that a seed repeats everything.
 */
import { dirname } from 'node:path'
import type { Random } from '../../bench/random.ts'
import type { AppendFile, Disk, InputFile, OutputFile } from '../../src/disk/disk.ts'
import { type Cut, SimulatedFile, sectorBytes } from './simulated-file.ts'
import { failure, SimulatedDirectory, SimulatedNames } from './simulated-names.ts'

/** Thrown to a process that is no more. */
export class PowerCut extends Error {
  override readonly name = 'PowerCut'
}

/** Syncs that a broken machine claims to have done: for proofs that somebody needs them. */
export interface Deafness {
  readonly datasync?: (path: string) => boolean
  readonly syncDirectory?: (path: string) => boolean
}

/** Deleted files whose bytes may show through. */
const staleFilesMax = 8

/** Event loop turns that an operation which does not wait takes at most, before and after its effect. */
const turnsMax = 2

export class SimulatedDisk implements Disk {
  readonly #random: Random
  readonly #deaf: Deafness
  #names: SimulatedNames
  #stale: Buffer[] = []
  #operationsLeft = Number.POSITIVE_INFINITY
  #operationCount = 0
  #isDead = false
  /** The process may not change anything, but end in peace. */
  #isClosing = false

  constructor(random: Random, deaf: Deafness = {}) {
    this.#random = random
    this.#deaf = deaf
    this.#names = new SimulatedNames(file => this.#noteStale(file))
  }

  get isDead(): boolean {
    return this.#isDead
  }

  /** Operations so far that changed or synced something. */
  get operationCount(): number {
    return this.#operationCount
  }

  /** The process ends with this many more operations that change or sync something; 0: at once. */
  cutAfter(operations: number): void {
    this.#operationsLeft = operations
    if (operations === 0) this.#isDead = true
  }

  /** The machine with its power back. The process on this disk is dead. */
  afterPowerCut(): SimulatedDisk {
    const random = this.#random
    const share = random.pick([0, 0.1, 0.5, 0.5, 0.9, 1])
    const next = this.#successor()
    this.#names.cut(random, share)
    for (const path of this.#names.keptDirectories()) next.#makeDirectory(path)
    const files = new Map<SimulatedFile, SimulatedFile>()
    for (const [path, file] of this.#names.keptFiles()) {
      const found = files.get(file) ?? new SimulatedFile(file.afterCut(this.#cut(share)))
      files.set(file, found)
      next.#names.set([path, found])
    }
    next.#names.cut(random, 1)
    return next
  }

  /** The machine on which the process was killed: nothing written is lost, and nothing more synced. */
  afterKill(): SimulatedDisk {
    const next = this.#successor()
    next.#names = this.#names
    return next
  }

  /** Lets a dead process count and close its files; nothing of it reaches the disk. */
  release(): void {
    this.#isDead = true
    this.#isClosing = true
  }

  async create(path: string): Promise<AppendFile> {
    const file = await this.#later(() => {
      if (this.#names.find(path) !== undefined) throw failure('EEXIST', path)
      const made = new SimulatedFile()
      this.#names.set([path, made])
      return made
    })
    return {
      write: (buffers, offset) => {
        const bytes = Buffer.concat(buffers)
        return this.#later(() => {
          file.write(bytes, offset)
          return bytes.length
        })
      },
      datasync: async () => {
        if (!this.#isClosing) await this.#later(() => this.#datasync(file, path), 'sync')
      },
      truncate: size => this.#later(() => file.truncate(size)),
      close: async () => {},
    }
  }

  remove(path: string): Promise<void> {
    return this.#later(() => {
      this.#names.file(path)
      this.#names.set([path, undefined])
    })
  }

  async removeDurably(path: string): Promise<void> {
    await this.#later(() => {
      if (this.#names.find(path) !== undefined) this.#names.set([path, undefined])
    })
    await this.syncDirectory(dirname(path))
  }

  syncDirectory(path: string): Promise<void> {
    return this.#later(() => this.#syncNames(path), 'sync')
  }

  link(from: string, to: string): Promise<void> {
    return this.#later(() => {
      if (this.#names.find(to) !== undefined) throw failure('EEXIST', to)
      this.#names.set([to, this.#names.file(from)])
    })
  }

  copy(from: string, to: string): Promise<void> {
    return this.#later(() => {
      if (this.#names.find(to) !== undefined) throw failure('EEXIST', to)
      const copy = new SimulatedFile()
      copy.write(this.#names.file(from).seen, 0)
      this.#names.set([to, copy])
    })
  }

  openSync(path: string): InputFile {
    const file = this.#look(() => this.#names.file(path))
    return {
      size: () => this.#look(() => file.seen.length),
      read: (buffer, at, bytes, offset) =>
        this.#look(() => file.seen.copy(buffer, at, offset, offset + bytes)),
      close: () => {},
    }
  }

  createSync(path: string): OutputFile {
    const file = this.#now(() => {
      const there = this.#names.find(path)
      if (there !== undefined) {
        const emptied = this.#names.file(path)
        emptied.truncate(0)
        return emptied
      }
      const made = new SimulatedFile()
      this.#names.set([path, made])
      return made
    })
    let offset = 0
    return {
      write: bytes => {
        this.#now(() => file.write(bytes, offset))
        offset += bytes.length
        return bytes.length
      },
      datasync: () => this.#now(() => this.#datasync(file, path), 'sync'),
      close: () => {},
    }
  }

  renameSync(from: string, to: string): void {
    this.#now(() => this.#names.set([from, undefined], [to, this.#names.file(from)]))
  }

  removeSync(path: string): void {
    const isThere = this.#look(() => this.#names.find(path) !== undefined)
    if (isThere) this.#now(() => this.#names.set([path, undefined]))
  }

  makeDirectorySync(path: string): string | undefined {
    if (this.#look(() => this.#names.find(path)) !== undefined) return undefined
    const first = this.makeDirectorySync(dirname(path))
    this.#now(() => this.#makeDirectory(path))
    return first ?? path
  }

  syncDirectorySync(path: string): void {
    this.#now(() => this.#syncNames(path), 'sync')
  }

  listSync(path: string): string[] {
    if (this.#isClosing) return []
    return this.#look(() => [...this.#names.directory(path).seen.keys()])
  }

  sizeSync(path: string): number | undefined {
    const node = this.#look(() => this.#names.find(path))
    return node instanceof SimulatedFile ? node.seen.length : node && 0
  }

  #makeDirectory(path: string): void {
    this.#names.set([path, new SimulatedDirectory()])
  }

  #datasync(file: SimulatedFile, path: string): void {
    if (!this.#deaf.datasync?.(path)) file.datasync()
  }

  #syncNames(path: string): void {
    const directory = this.#names.directory(path)
    if (!this.#deaf.syncDirectory?.(path)) this.#names.sync(directory)
  }

  #successor(): SimulatedDisk {
    this.#isDead = true
    const next = new SimulatedDisk(this.#random, this.#deaf)
    next.#stale = this.#stale
    return next
  }

  #noteStale(file: SimulatedFile): void {
    const { length } = file.kept
    if (length < sectorBytes) return
    this.#stale.push(file.kept.subarray(0, length - (length % sectorBytes)))
    if (this.#stale.length > staleFilesMax) this.#stale.shift()
  }

  #cut(share: number): Cut {
    const isSeen = this.#stale.length > 0 && this.#random.below(2) === 0
    return {
      random: this.#random,
      share,
      stale: isSeen ? this.#random.pick(this.#stale) : undefined,
    }
  }

  /** An operation that does not wait: its effect comes some turns of the event loop later. */
  async #later<T>(effect: () => T, kind: 'change' | 'sync' = 'change'): Promise<T> {
    await this.#turns()
    const result = this.#now(effect, kind)
    await this.#turns()
    return result
  }

  async #turns(): Promise<void> {
    for (let left = this.#random.below(turnsMax + 1); left > 0; left--) {
      await new Promise(setImmediate)
    }
  }

  /**
   * Counts an operation and has its effect. Of the last one before the cut nobody hears an answer: a
   * change may have reached the disk like any other that was not synced, a sync has synced nothing.
   */
  #now<T>(effect: () => T, kind: 'change' | 'sync' = 'change'): T {
    this.#refuseDead()
    this.#operationCount++
    this.#operationsLeft--
    if (this.#operationsLeft > 0) return effect()
    if (kind === 'change') effect()
    this.#isDead = true
    throw new PowerCut('the power was cut')
  }

  #look<T>(look: () => T): T {
    this.#refuseDead()
    return look()
  }

  #refuseDead(): void {
    if (this.#isDead) throw new PowerCut('the power was cut before')
  }
}
