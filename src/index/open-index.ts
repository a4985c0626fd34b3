/**
 * Opens the index in the data directory, rebuilding it where it cannot be relied on.
 *
 * LMDB has no checksums, and may end the process over a page that is damaged, when it opens the file or at
 * any time while it is open. So the file is read without LMDB first (`index-file.ts`), and a mark stands
 * beside it as long as it is open: a start that finds the mark knows that the process before died with
 * the index open, of whatever cause, and does not let LMDB have it.
 */
import fs from 'node:fs'
import { join } from 'node:path'
import { open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb'
import type { Logger } from 'pino'
import { refuseDirectory } from '../disk/refuse-directory.ts'
import { lmdbAnswerMs } from '../lmdb/answer.ts'
import { lmdbFileAt } from '../lmdb/file.ts'
import { removeLmdbFile } from '../lmdb/remove.ts'
import { LmdbDamaged } from '../lmdb/tree.ts'
import { BlockIndex, type IndexFiles } from './block-index.ts'
import { IndexFormatUnknown, type IndexNotes, readIndexFile, readNotes } from './index-file.ts'

/** Opened, and what was wrong with what was there, in words for people. */
export interface OpenedIndex {
  readonly index: BlockIndex
  /** It has no entries, and is to be given all. */
  readonly isNew: boolean
  readonly fault: string | undefined
}

/** `answerMs`: what a change may take. */
export async function openBlockIndex(
  dataDir: string,
  logger: Logger,
  answerMs = lmdbAnswerMs,
): Promise<OpenedIndex> {
  const path = join(dataDir, 'index.lmdb')
  const files = filesOf(path, join(dataDir, 'index.open'))
  for (const file of [path, `${path}-lock`, files.mark]) refuseDirectory(file)
  const state = lmdbFileAt(path)
  const doubt = doubtAbout(path, state, files.mark)
  const notes = doubt && readNotes(path)
  if (doubt !== undefined) {
    const text = `the index ${doubt.why}; building it anew`
    if (doubt.isDamage) logger.warn(text)
    else logger.info(text)
    removeLmdbFile(path)
  }
  removeLmdbFile(files.beside)
  fs.writeFileSync(files.mark, '')
  const fault = doubt?.isDamage ? doubt.why : undefined
  const isNew = state === 'nothing' || doubt !== undefined
  return { index: openAt(path, { answerMs, files, notes }), isNew, fault }
}

interface Doubt {
  readonly why: string
  /** Or it is what happens to a sound one. */
  readonly isDamage: boolean
}

/** Why the index cannot be relied on; undefined for one that can, and for none. */
function doubtAbout(
  path: string,
  state: ReturnType<typeof lmdbFileAt>,
  mark: string,
): Doubt | undefined {
  if (state === 'nothing') return undefined
  if (state !== 'lmdb') return { why: `is ${state}`, isDamage: true }
  if (fs.existsSync(mark)) {
    return { why: 'was open when the process before ended', isDamage: false }
  }
  try {
    readIndexFile(path)
    return undefined
  } catch (error) {
    if (error instanceof LmdbDamaged) {
      return { why: `is damaged (${error.message})`, isDamage: true }
    }
    if (!(error instanceof IndexFormatUnknown)) throw error
    return { why: 'is of another version', isDamage: false }
  }
}

interface OpenOptions {
  readonly answerMs: number
  readonly files: IndexFiles
  readonly notes: IndexNotes | undefined
}

function openAt(path: string, { notes, ...options }: OpenOptions): BlockIndex {
  const root = openEnvironment(path)
  return new BlockIndex(root, notes === undefined ? options : { ...options, notes })
}

function filesOf(path: string, mark: string): IndexFiles & { mark: string; beside: string } {
  const beside = `${path}.new`
  return {
    mark,
    beside,
    openBeside() {
      removeLmdbFile(beside)
      return openEnvironment(beside)
    },
    takePlace() {
      fs.rmSync(`${path}-lock`, { force: true })
      fs.renameSync(beside, path)
      fs.renameSync(`${beside}-lock`, `${path}-lock`)
    },
    closed: () => fs.rmSync(mark, { force: true }),
  }
}

function openEnvironment(path: string): RootDatabase {
  return open({
    path,
    maxDbs: 8,
    noSubdir: true,
    permissionsMode: 0o600, // Not in lmdb's types; it is in its `env.cpp`.
    // With lmdb's batching by event turns a failed commit (a full disk) ends the process, because
    // a promise that nobody can reach rejects.
    eventTurnBatching: false,
  } as RootDatabaseOptionsWithPath)
}
