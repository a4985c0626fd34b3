/**
 * The commands of `logstrata`, once: what each is called, what it is for, and which function runs it.
 *
 * A command's code is loaded only when it is asked for, so that `import` needs none of the
 * service's packages and `--help` none at all.
 */
import { helpText } from '../config/config.ts'
import { paragraph, twoColumns } from '../config/help.ts'
import { nearMiss } from '../config/near-miss.ts'
import { ConfigError, hasSwitch } from '../config/settings.ts'
import { version } from '../config/version.ts'
import { backupHelp } from './backup/options.ts'
import { restoreCatalogHelp } from './backup/restore-catalog-options.ts'
import { CommandError } from './command-error.ts'
import { exportHelp } from './export/options.ts'
import { importHelp } from './import/options.ts'
import { inspectHelp } from './inspect/options.ts'
import { patternsHelp } from './patterns/options.ts'
import { printableLines } from './printable.ts'
import { queryHelp } from './query/options.ts'
import { shipHelp } from './ship/options.ts'
import { statusHelp } from './status/options.ts'
import { tailHelp } from './tail/options.ts'
import type { Terminal } from './terminal.ts'
import { upgradeHelp } from './upgrade/options.ts'

export interface Command {
  readonly name: string
  readonly summary: string
  help(): string | Promise<string>
  /**
   * Resolves with the exit code: 0 done, 1 failed, 130 interrupted. A CommandError makes it 1 or 2, a
   * ConfigError 2; both are printed.
   */
  run(argv: readonly string[], terminal: Terminal): Promise<number>
}

export const commands: readonly Command[] = [
  {
    name: 'serve',
    summary: 'Start the service. This is what happens without a command, too.',
    help: helpText,
    run: async argv => (await import('./serve.ts')).runService(argv),
  },
  {
    name: 'import',
    summary: 'Send the lines of files, or of standard input, to a running service.',
    help: importHelp,
    run: async (argv, terminal) => (await import('./import/import.ts')).runImport(argv, terminal),
  },
  {
    name: 'query',
    summary: 'Print the records that match a query, or the numbers that it computes.',
    help: queryHelp,
    run: async (argv, terminal) => (await import('./query/query.ts')).runQuery(argv, terminal),
  },
  {
    name: 'patterns',
    summary: 'Print which kinds of messages there are, and which are new.',
    help: patternsHelp,
    run: async (argv, terminal) =>
      (await import('./patterns/patterns.ts')).runPatterns(argv, terminal),
  },
  {
    name: 'tail',
    summary: 'Print records as they come in.',
    help: tailHelp,
    run: async (argv, terminal) => (await import('./tail/tail.ts')).runTail(argv, terminal),
  },
  {
    name: 'export',
    summary: 'Write all records that match a query to a file.',
    help: exportHelp,
    run: async (argv, terminal) => (await import('./export/export.ts')).runExport(argv, terminal),
  },
  {
    name: 'tokens',
    summary: 'List, make, show and delete ingestion tokens.',
    ...loaded(async () => (await import('./manage/tokens.ts')).tokensCommand),
  },
  {
    name: 'api-keys',
    summary: 'List, make and delete API keys.',
    ...loaded(async () => (await import('./manage/api-keys.ts')).apiKeysCommand),
  },
  {
    name: 'dashboards',
    summary: 'List, print, store and delete dashboards.',
    ...loaded(async () => (await import('./manage/dashboards.ts')).dashboardsCommand),
  },
  {
    name: 'alerts',
    summary: 'List, print, store and delete rules of alerts; how they stand.',
    ...loaded(async () => (await import('./manage/alerts.ts')).alertsCommand),
  },
  {
    name: 'status',
    summary: 'Say whether a service runs and how it does.',
    help: statusHelp,
    run: async (argv, terminal) => (await import('./status/status.ts')).runStatus(argv, terminal),
  },
  {
    name: 'backup',
    summary: 'Copy the data directory, of a running service too.',
    help: backupHelp,
    run: async (argv, terminal) => (await import('./backup/backup.ts')).runBackup(argv, terminal),
  },
  {
    name: 'restore-catalog',
    summary: 'Put a copy of the catalog back, when it is damaged.',
    help: restoreCatalogHelp,
    run: async (argv, terminal) =>
      (await import('./backup/restore-catalog.ts')).runRestoreCatalog(argv, terminal),
  },
  {
    name: 'upgrade',
    summary: 'Write segments of older formats anew, in the one that is written now.',
    help: upgradeHelp,
    run: async (argv, terminal) =>
      (await import('./upgrade/upgrade.ts')).runUpgrade(argv, terminal),
  },
  {
    name: 'ship',
    summary: 'Move all records to ClickHouse, or back.',
    help: shipHelp,
    run: async (argv, terminal) => (await import('./ship/ship.ts')).runShip(argv, terminal),
  },
  {
    name: 'inspect',
    summary: 'Print segments and journal files, or check all that is stored.',
    help: inspectHelp,
    run: async (argv, terminal) =>
      (await import('./inspect/inspect.ts')).runInspect(argv, terminal),
  },
]

/** A command whose help, too, is in its code. */
function loaded(load: () => Promise<Pick<Command, 'help' | 'run'>>): Pick<Command, 'help' | 'run'> {
  return {
    help: async () => (await load()).help(),
    run: async (argv, terminal) => (await load()).run(argv, terminal),
  }
}

/** Runs what `argv` (without the program's own name) asks for. Resolves with the exit code. */
export async function runCommand(
  argv: readonly string[],
  terminal: Terminal,
  known: readonly Command[] = commands,
): Promise<number> {
  const [first] = argv
  const isNamed = first !== undefined && !first.startsWith('-')
  if (!isNamed && hasSwitch(argv, '--help', '-h')) {
    terminal.stdout.write(`${overview(known)}\n`)
    return 0
  }
  if (hasSwitch(argv, '--version')) {
    terminal.stdout.write(`${version()}\n`)
    return 0
  }

  const command = isNamed ? known.find(({ name }) => name === first) : known[0]
  if (command === undefined) {
    terminal.stderr.write(`${unknownCommand(first!, known)}\n`)
    return 2
  }
  if (hasSwitch(argv, '--help', '-h')) {
    terminal.stdout.write(`${await command.help()}\n`)
    return 0
  }
  try {
    return await command.run(isNamed ? argv.slice(1) : argv, terminal)
  } catch (error) {
    // Both may quote what somebody else wrote.
    if (error instanceof CommandError) {
      terminal.stderr.write(`logstrata: ${printableLines(error.message)}\n`)
      return error.exitCode
    }
    if (error instanceof ConfigError) {
      terminal.stderr.write(`logstrata: ${printableLines(error.message)}\n`)
      terminal.stderr.write(`See: logstrata ${command.name} --help\n`)
      return 2
    }
    throw error
  }
}

function overview(known: readonly Command[]): string {
  return `Usage: logstrata [COMMAND] [OPTION]…

${paragraph('A log service for one machine: events in over HTTP, found by the very next query.')}

Commands:
${listing(known)}

logstrata COMMAND --help tells everything about one command; logstrata --version prints the version.`
}

function unknownCommand(name: string, known: readonly Command[]): string {
  const meant = nearMiss(
    name,
    known.map(({ name }) => name),
  )
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  return `logstrata: unknown command ${JSON.stringify(name)}${hint}\n\nCommands:\n${listing(known)}`
}

function listing(known: readonly Command[]): string {
  return known.map(({ name, summary }) => twoColumns(name, [summary])).join('\n')
}
