/**
 * `logstrata inspect`: prints segments and journal files, or checks them. Reads only; needs neither a
 * running service nor its settings, so that it also works on a file that somebody sent.
 */
import fs from 'node:fs'
import { ConfigError } from '../../config/settings.ts'
import { type Output, printTo } from '../output.ts'
import { jsonLine } from '../printable.ts'
import type { Terminal } from '../terminal.ts'
import { type Fault, type FileKind, filesBelow, kindOf } from './file.ts'
import { describeJournal } from './journal.ts'
import { type InspectOptions, readInspectOptions } from './options.ts'
import { printJournal, printSegment } from './print.ts'
import { recordLines } from './records.ts'
import { describeSegment } from './segment.ts'
import { faultOf, faultsOf, NotOurs, verdictText, verifyDirectory } from './verify.ts'

type PrintedKind = 'segment' | 'journal'
type Wanted = Omit<InspectOptions, 'paths'>

/** Resolves with 0 when all is whole, 1 when something is wrong. Throws ConfigError. */
export async function runInspect(argv: readonly string[], terminal: Terminal): Promise<number> {
  const options = readInspectOptions(argv, terminal.environment)
  return printTo(terminal.stdout, async output => {
    let isWhole = true
    for (const path of options.paths) {
      const isFile = statusOf(path).isFile()
      const faultCount = isFile
        ? (await inspectFile(path, options, output, terminal)).length
        : await inspectDirectory(path, options, output, terminal)
      if (faultCount > 0) isWhole = false
    }
    return isWhole ? 0 : 1
  })
}

function statusOf(path: string): fs.Stats {
  try {
    return fs.statSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError('', `cannot read ${JSON.stringify(path)} (${code})`)
  }
}

/** Checks all files of a directory, or prints their records. Resolves with the number of faults. */
async function inspectDirectory(
  path: string,
  options: Wanted,
  output: Output,
  terminal: Pick<Terminal, 'stderr'>,
): Promise<number> {
  let fileCount = 0
  let faultCount = 0
  if (options.records) {
    for (const file of filesBelow(path).filter(file => !isOnlyChecked(kindOf(file)))) {
      fileCount++
      faultCount += (await inspectFile(file, options, output, terminal)).length
    }
  } else {
    for await (const verdict of verifyDirectory(path)) {
      fileCount++
      faultCount += verdict.faults.length
      await output.write(options.json ? jsonLine(verdict) : verdictText(verdict))
    }
  }
  if (fileCount === 0) await output.write(`${path}: no segments and no journal files\n`)
  return faultCount
}

/** Databases and receipts are only ever checked. */
function isOnlyChecked(kind: FileKind | undefined): kind is Exclude<FileKind, PrintedKind> {
  return kind !== 'segment' && kind !== 'journal' && kind !== undefined
}

/** Prints what is asked of one file. Resolves with what is wrong with it. */
async function inspectFile(
  path: string,
  options: Wanted,
  output: Output,
  { stderr }: Pick<Terminal, 'stderr'>,
): Promise<readonly Fault[]> {
  try {
    const kind = kindOf(path)
    if (kind === undefined) throw new NotOurs('neither a segment nor a file of the journal')
    if (options.records && isOnlyChecked(kind)) {
      throw new NotOurs(
        `${kind === 'receipts' ? 'a file of receipts' : 'a database'} holds no records`,
      )
    }
    if (options.verify || isOnlyChecked(kind)) {
      const verdict = { path, kind, faults: await faultsOf(path, kind) }
      await output.write(options.json ? jsonLine(verdict) : verdictText(verdict))
      return verdict.faults
    }
    if (options.records) return await showRecords(path, kind, output, stderr)
    const found = kind === 'segment' ? describeSegment(path) : describeJournal(path)
    const text = found.kind === 'segment' ? printSegment(found) : printJournal(found)
    await output.write(options.json ? jsonLine(found) : text)
    return found.faults
  } catch (error) {
    const faults = [faultOf(error)]
    if (options.json) await output.write(jsonLine({ path, faults }))
    else stderr.write(verdictText({ path, faults }))
    return faults
  }
}

async function showRecords(
  path: string,
  kind: PrintedKind,
  output: Output,
  stderr: Terminal['stderr'],
): Promise<readonly Fault[]> {
  const faults: Fault[] = []
  for (const line of recordLines(path, kind, faults)) {
    if (output.closed.aborted) return []
    await output.write(`${line}\n`)
  }
  if (faults.length > 0) stderr.write(verdictText({ path, faults }))
  return faults
}
