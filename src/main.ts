/**
 * The program `logstrata`, once the right Node runs it: `cli/logstrata.js` sees to that.
 *
 * The exit code is set, not forced, so that what was printed reaches a pipe. Standard input is
 * released: a command that stopped early must not wait for the rest of it.
 */
import { runCommand } from './cli/commands.ts'
import { processTerminal } from './cli/terminal.ts'

process.exitCode = await runCommand(process.argv.slice(2), processTerminal())
process.stdin.destroy()
