/**
 * The copies of the catalog in `catalog-copies/` of the data directory: their names, and which to keep.
 *
 *     catalog-20261122T094500Z.lmdb                     made each day
 *     catalog-20261122T094500Z-before-format-2.lmdb     made before the file's format changed
 *     replaced-20261122T094500Z.lmdb                    what `restore-catalog` took out; never deleted
 */
import fs from 'node:fs'
import { join } from 'node:path'
import { CatalogUnusable, readCatalogFile } from '../catalog-file.ts'

const directoryName = 'catalog-copies'
const copyPattern = /^catalog-(\d{8}T\d{6}Z)(-before-format-\d+)?\.lmdb$/

/** How many of each kind are kept. */
const dailyCopies = 7
const formatCopies = 3

export interface CatalogCopy {
  readonly path: string
  readonly madeAt: number
  readonly isDaily: boolean
}

/** Where copies of the catalog of a data directory lie; it may not be there yet. */
export function copiesDirectory(dataDir: string): string {
  return join(dataDir, directoryName)
}

/** Whether a file of this name is such a copy. */
export function isCopyName(name: string): boolean {
  return copyPattern.test(name)
}

/** `format`: the copy is made before the file gets this format. */
export function copyPath(dataDir: string, madeAt: number, format?: number): string {
  const suffix = format === undefined ? '' : `-before-format-${format}`
  return join(copiesDirectory(dataDir), `catalog-${stamp(madeAt)}${suffix}.lmdb`)
}

/** Where a catalog goes that another one takes the place of. */
export function replacedPath(dataDir: string, at: number): string {
  return join(copiesDirectory(dataDir), `replaced-${stamp(at)}.lmdb`)
}

/** All copies, the newest first; also those that cannot be used. */
export function listCopies(dataDir: string): CatalogCopy[] {
  const directory = copiesDirectory(dataDir)
  const copies = namesIn(directory).flatMap(name => {
    const [, madeAt, suffix] = copyPattern.exec(name) ?? []
    if (madeAt === undefined) return []
    const isDaily = suffix === undefined
    return [{ path: join(directory, name), madeAt: timeOf(madeAt), isDaily }]
  })
  return copies.sort((a, b) => b.madeAt - a.madeAt)
}

/** The path of the newest copy that can be used and has no damaged value; undefined when there is none. */
export function newestWholeCopy(dataDir: string): string | undefined {
  return listCopies(dataDir).find(({ path }) => isWhole(path))?.path
}

/** The oldest of each kind beyond those that are kept. */
export function superfluousCopies(dataDir: string): CatalogCopy[] {
  const copies = listCopies(dataDir)
  return [
    ...copies.filter(({ isDaily }) => isDaily).slice(dailyCopies),
    ...copies.filter(({ isDaily }) => !isDaily).slice(formatCopies),
  ]
}

function isWhole(path: string): boolean {
  try {
    return readCatalogFile(path)?.damaged.length === 0
  } catch (error) {
    if (error instanceof CatalogUnusable) return false
    throw error
  }
}

function namesIn(directory: string): string[] {
  try {
    return fs.readdirSync(directory)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}

/** `20261122T094500Z`. */
function stamp(time: number): string {
  return new Date(time).toISOString().replace(/[-:]|\.\d+/g, '')
}

function timeOf(text: string): number {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? []
  return Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  )
}
