import { runCommand } from '../../../src/cli/commands.ts'
import { fakeTerminal } from '../fake-terminal.ts'

/** `logstrata inspect` with these arguments, in this process. */
export async function inspect(...argv: string[]) {
  const terminal = fakeTerminal()
  const code = await runCommand(['inspect', ...argv], terminal)
  return { code, printed: terminal.printed(), complained: terminal.complained() }
}
