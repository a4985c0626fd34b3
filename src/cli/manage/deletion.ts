/** Deletions, which ask first, because none can be undone. */
import { createInterface } from 'node:readline'
import { ConfigError } from '../../config/settings.ts'
import { requestJson } from '../api.ts'
import { switchSetting } from '../command-line.ts'
import { jsonLine, printable } from '../printable.ts'
import type { Terminal } from '../terminal.ts'
import type { Action } from './actions.ts'

export const yesSetting = switchSetting(
  'yes',
  'Delete without asking; required where nobody can be asked',
)

interface DeletionFlags {
  readonly yes: boolean
  readonly json: boolean
}

/** The action `delete ID`. `kind` is what is deleted, such as "the dashboard". */
export function deletion(
  kind: string,
  summary: string,
  pathOf: (id: string) => string,
): Action<DeletionFlags> {
  return {
    name: 'delete',
    argument: 'ID',
    summary,
    flags: ['yes'],
    async run({ api, flags, argument, output, terminal }) {
      const what = `${kind} ${printable(argument)}`
      if (!(await isConfirmed(what, flags.yes, terminal))) return 1
      await requestJson(api, { method: 'DELETE', path: pathOf(argument) })
      if (flags.json) await output.write(jsonLine({ id: argument, deleted: true }))
      else terminal.stderr.write(`deleted ${what}\n`)
      return 0
    },
  }
}

/**
 * Resolves with whether to continue: `--yes` was given, or somebody at a terminal typed it. Throws
 * ConfigError where nobody can be asked.
 */
async function isConfirmed(
  what: string,
  isAgreed: boolean,
  { stdin, stderr }: Terminal,
): Promise<boolean> {
  if (isAgreed) return true
  if (stdin.isTTY !== true) {
    throw new ConfigError('--yes', 'a deletion needs --yes where nobody can be asked')
  }
  stderr.write(`Delete ${what} for good? [y/N] `)
  for await (const line of createInterface({ input: stdin, terminal: false })) {
    const isYes = /^\s*y(es)?\s*$/i.test(line)
    if (!isYes) stderr.write('logstrata: nothing was deleted\n')
    return isYes
  }
  stderr.write('\nlogstrata: nothing was deleted\n')
  return false
}
