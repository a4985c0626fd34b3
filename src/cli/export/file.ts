/**
 * The file of an export: written under a name of its own beside it, and renamed when all is there, so
 * that a file of the wanted name is always whole.
 */
import { createWriteStream } from 'node:fs'
import { realpath, rename, stat } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { ConfigError } from '../../config/settings.ts'
import { CommandError } from '../command-error.ts'

export interface ExportFile {
  readonly stream: Writable
  /** Where the bytes are until `finish`. */
  readonly path: string
  /** Whether `path` is not yet the name that is wanted. */
  readonly isPartial: boolean
  /** To be called when the stream has finished. */
  finish(): Promise<void>
}

/** Where an export goes, found before anything is asked of the service. Throws ConfigError. */
export interface ExportPlace {
  readonly path: string
  /** Pipes and devices are written as they are: renaming would put a file in their place. */
  readonly isFile: boolean
}

/**
 * Where `--output` leads, past links. A file need not be there yet. Throws ConfigError for a directory, and
 * for a path that cannot be looked at.
 */
export async function placeOf(path: string): Promise<ExportPlace> {
  try {
    const status = await stat(path)
    if (status.isDirectory()) {
      throw new ConfigError('--output', `--output ${JSON.stringify(path)} is a directory`)
    }
    // What a link points to is replaced, and not the link.
    return { path: await realpath(path), isFile: status.isFile() }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { path, isFile: true }
    if (codeOf(error) === undefined) throw error
    throw new ConfigError('--output', `--output ${JSON.stringify(path)}: ${codeOf(error)}`)
  }
}

/**
 * Opens what the export is written to: a file under a name that ends in `.partial` until `finish` renames it,
 * anything else, such as a pipe, as it is. Errors come by the stream.
 */
export function openExportFile({ path: finalPath, isFile }: ExportPlace): ExportFile {
  const path = isFile ? `${finalPath}.partial` : finalPath
  return {
    // Flushed, so that not even a power cut leaves a file of the final name that is not whole.
    stream: createWriteStream(path, { flush: isFile }),
    path,
    isPartial: isFile,
    finish: async () => {
      if (isFile) await rename(path, finalPath)
    },
  }
}

/** What the file system said, for the user. */
export function cannotWrite(path: string, error: unknown): CommandError {
  return new CommandError(`cannot write ${JSON.stringify(path)} (${codeOf(error)})`, {
    cause: error,
  })
}

/** Whether an error is of the file, and not of the connection. */
export function isOfFile(error: unknown): boolean {
  const { syscall } = Object(error) as { syscall?: unknown }
  return (
    typeof syscall === 'string' && ['open', 'write', 'fsync', 'close', 'rename'].includes(syscall)
  )
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error && 'code' in error
    ? String(error.code)
    : undefined
}
