/**
 * `backup.json`: what a backup consists of, so that a file that is missing or cut shows, also one that
 * nothing else would miss. It is written last; a service that starts on the directory looks through it
 * once and removes it: from then on the directory is alive.
 */
import fs from 'node:fs'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import type { DataFile } from './view/data-files.ts'

const fileName = 'backup.json'
const formatVersion = 1

const manifestSchema = Type.Object({
  format: Type.Literal(formatVersion),
  /** RFC 3339. */
  createdAt: Type.String(),
  /** Of the program. */
  version: Type.String(),
  files: Type.Array(Type.Object({ path: Type.String(), bytes: Type.Integer({ minimum: 0 }) })),
})

export interface BackupMade {
  readonly createdAt: number
  readonly version: string
  readonly files: readonly Pick<DataFile, 'path' | 'bytes'>[]
}

/** A file that is not what the backup had. */
export interface MissingPart {
  readonly path: string
  readonly what: string
}

/** Writes it and makes it durable, but for its name. */
export function writeManifest(directory: string, { createdAt, version, files }: BackupMade): void {
  const listed = files.map(({ path, bytes }) => ({ path, bytes }))
  const made = new Date(createdAt).toISOString()
  const manifest = { format: formatVersion, createdAt: made, version, files: listed }
  const fd = fs.openSync(join(directory, fileName), 'wx', 0o600)
  try {
    fs.writeFileSync(fd, `${JSON.stringify(manifest, undefined, 1)}\n`)
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}

/** What a backup lacks; undefined when the directory is none. */
export function missingParts(directory: string): readonly MissingPart[] | undefined {
  const text = readIfThere(join(directory, fileName))
  if (text === undefined) return undefined
  const manifest = parse(text)
  if (!Check(manifestSchema, manifest)) {
    return [{ path: fileName, what: `is not a list of format ${formatVersion}` }]
  }
  const missing: MissingPart[] = []
  for (const { path, bytes } of manifest.files) {
    const found = fs.statSync(join(directory, path), { throwIfNoEntry: false })
    if (found === undefined) missing.push({ path, what: 'is missing' })
    else if (found.size !== bytes) {
      missing.push({ path, what: `has ${found.size} bytes, had ${bytes}` })
    }
  }
  return missing
}

/**
 * Removes the manifest, if there is one: what is there may not be a whole backup from now on. Throws what the
 * file system says.
 */
export function removeManifest(directory: string): void {
  fs.rmSync(join(directory, fileName), { force: true })
}

function readIfThere(path: string): string | undefined {
  try {
    return fs.readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
