/** Senders that `install.sh` has put into `.tap/senders/`, or the machine has. */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Where they are. */
export const installed = join(import.meta.dirname, '../../.tap/senders')
const hint = 'bash test/clients/install.sh was not run'

interface Program {
  readonly program: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

/** How syslog-ng is started; why not, as a text, where it is not there. */
export function findSyslogNg(): Program | string {
  if (spawnSync('syslog-ng', ['--version']).error === undefined) {
    return { program: 'syslog-ng', args: [], env: process.env }
  }
  const root = join(installed, 'syslog-ng')
  const program = join(root, 'usr/sbin/syslog-ng')
  if (!existsSync(program)) return `syslog-ng is not installed, and ${hint}`
  const modules = globSync(join(root, 'usr/lib/syslog-ng/3.*'))
  const libraries = globSync([join(root, 'usr/lib/syslog-ng'), join(root, '{usr/,}lib/*-linux-*')])
  return {
    program,
    args: [`--module-path=${modules.join(':')}`],
    env: { ...process.env, LD_LIBRARY_PATH: libraries.join(':') },
  }
}

/** Arguments with which it runs `config`, and keeps all that it writes in `directory`. */
export function syslogNgArgs(directory: string, config: string): string[] {
  const own = (ending: string) => join(directory, `syslog-ng.${ending}`)
  return ['-F', '-f', config, '-R', own('persist'), '-p', own('pid'), '-c', own('ctl')]
}

/** Loads a package of `packages/package.json`; why not, as a text, where it is not there. */
export function findPackage(name: string): ((name: string) => unknown) | string {
  if (!existsSync(join(installed, 'installed.json'))) return `${name} is not there: ${hint}`
  return createRequire(join(installed, 'package.json'))
}
