/** Things that people keep in files as JSON, or pipe in: what `get` prints, `put` takes. */
import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { text as readAll } from 'node:stream/consumers'
import { requestJson, requestText } from '../api.ts'
import { CommandError } from '../command-error.ts'
import { printableJson } from '../printable.ts'
import { type Action, printMember } from './actions.ts'

/** The action `get ID`. `kind` is what is printed, such as "a dashboard". */
export function getting(kind: string, pathOf: (id: string) => string): Action<object> {
  return {
    name: 'get',
    argument: 'ID',
    summary: `Print ${kind} as JSON, in the form that put takes`,
    async run({ api, argument, output }) {
      // As it came, not parsed and printed again: large numbers keep all their digits.
      const text = await requestText(api, { path: pathOf(argument) })
      await output.write(`${printableJson(text.trimEnd())}\n`)
      return 0
    },
  }
}

/** The action `put FILE`. `bodyOf` makes what is sent of what the file has. */
export function putting(
  kind: string,
  path: string,
  bodyOf: (text: string, value: unknown) => string = text => text,
): Action<{ readonly json: boolean }> {
  return {
    name: 'put',
    argument: 'FILE',
    summary: `Create or replace ${kind} from a file, or from standard input (-); its id is printed`,
    async run(context) {
      const { text, value } = await readJsonFile(context.argument, context.terminal.stdin)
      const body = bodyOf(text, value)
      return printMember(
        context,
        await requestJson(context.api, { method: 'POST', path, body }),
        'id',
      )
    },
  }
}

/** The text of a file, or of standard input (`-`), and what it says. Throws CommandError. */
async function readJsonFile(
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
