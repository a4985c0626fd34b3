/**
 * `logstrata inspect`: prints segments and journal files, or checks them. Reads only; needs neither a
 * running service nor its settings, so that it also works on a file that somebody sent.
 */
import fs from 'node:fs'
import { SegmentCorrupt, SegmentVersionUnknown } from '../segment/segment-error.ts'
import { type Fault, type FileKind, filesBelow, kindOf } from './inspect-file.ts'
import { describeJournal, faultsOfJournal } from './inspect-journal.ts'
import { type InspectOptions, readInspectOptions } from './inspect-options.ts'
import { printJournal, printSegment } from './inspect-print.ts'
import { recordLines } from './inspect-records.ts'
import { describeSegment, faultsOfSegment } from './inspect-segment.ts'
import { Output } from './output.ts'
import { ConfigError } from './settings.ts'
import type { Terminal } from './terminal.ts'

/** Resolves with 0 when all is whole, 1 when something is wrong. Throws ConfigError. */
export async function runInspect(argv: readonly string[], terminal: Terminal): Promise<number> {
  const options = readInspectOptions(argv, terminal.environment)
  const output = new Output(terminal.stdout)
  let isWhole = true
  for (const path of options.paths) {
    const isFile = statusOf(path).isFile()
    const files = isFile ? [path] : filesBelow(path)
    const wants = isFile ? options : { ...options, verify: !options.records }
    for (const file of files) {
      const faults = await inspectFile(file, wants, output, terminal)
      if (faults.length > 0) isWhole = false
    }
    if (files.length === 0) await output.write(`${path}: no segments and no journal files\n`)
  }
  return isWhole ? 0 : 1
}

function statusOf(path: string): fs.Stats {
  try {
    return fs.statSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError('', `cannot read ${JSON.stringify(path)} (${code})`)
  }
}

/** Prints what is asked of one file. Resolves with what is wrong with it. */
async function inspectFile(
  path: string,
  options: Omit<InspectOptions, 'paths'>,
  output: Output,
  { stderr }: Pick<Terminal, 'stderr'>,
): Promise<readonly Fault[]> {
  try {
    const kind = kindOf(path)
    if (kind === undefined) throw new NotOurs('neither a segment nor a file of the journal')
    if (options.records) return await showRecords(path, kind, output, stderr)
    if (options.verify) {
      const faults = kind === 'segment' ? faultsOfSegment(path) : faultsOfJournal(path)
      await output.write(options.json ? jsonLine({ path, kind, faults }) : verdict(path, faults))
      return faults
    }
    const found = kind === 'segment' ? describeSegment(path) : describeJournal(path)
    const text = found.kind === 'segment' ? printSegment(found) : printJournal(found)
    await output.write(options.json ? jsonLine(found) : text)
    return found.faults
  } catch (error) {
    const faults = [faultOf(error)]
    if (options.json) await output.write(jsonLine({ path, faults }))
    else stderr.write(verdict(path, faults))
    return faults
  }
}

async function showRecords(
  path: string,
  kind: FileKind,
  output: Output,
  stderr: Terminal['stderr'],
): Promise<readonly Fault[]> {
  const faults: Fault[] = []
  for (const line of recordLines(path, kind, faults)) {
    if (output.closed.aborted) return []
    await output.write(`${line}\n`)
  }
  if (faults.length > 0) stderr.write(verdict(path, faults))
  return faults
}

class NotOurs extends Error {}

/** What to say of a file that cannot be read at all. Rethrows what is our own mistake. */
function faultOf(error: unknown): Fault {
  if (error instanceof SegmentCorrupt) return { offset: error.offset, what: error.what }
  if (error instanceof SegmentVersionUnknown || error instanceof NotOurs) {
    return { offset: 0, what: error.message }
  }
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall === undefined) throw error
  return { offset: 0, what: `cannot be read (${code})` }
}

function verdict(path: string, faults: readonly Fault[]): string {
  if (faults.length === 0) return `${path}: whole\n`
  return faults.map(({ offset, what }) => `${path}: offset ${offset}: ${what}\n`).join('')
}

function jsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}
