/** JSON that people keep in files, or pipe in. */
import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { text as readAll } from 'node:stream/consumers'
import { CommandError } from '../command-error.ts'

/** The text of a file, or of standard input (`-`), and what it says. Throws CommandError. */
export async function readJsonFile(
  file: string,
  stdin: Readable,
): Promise<{ readonly text: string; readonly value: unknown }> {
  const name = file === '-' ? 'standard input' : JSON.stringify(file)
  const text = await (file === '-' ? readAll(stdin) : readFile(file, 'utf8')).catch(error => {
    throw new CommandError(`cannot read ${name} (${error.code ?? error})`, { cause: error })
  })
  try {
    return { text, value: JSON.parse(text) }
  } catch (error) {
    throw new CommandError(`${name} is not JSON: ${(error as Error).message}`, { cause: error })
  }
}
