/** Runs the commands of a document as a reader would paste them: all in one shell, in their order. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Block, projectRoot } from './markdown.ts'

/** Stands between what two blocks print: record separator, which nothing prints. */
const separator = '\x1e'

/** `logstrata`, as in a directory where the package is installed. */
const prelude = 'logstrata() { node src/cli/logstrata.js "$@"; }\n'

/**
 * What each of `blocks` printed on standard output. A command that fails, also within a pipe, ends the run.
 * @param environment Beside this process's own.
 * @throws Error with what was printed, when a command fails, or when all of it takes more than two minutes.
 */
export async function runCommands(
  blocks: readonly Pick<Block, 'text'>[],
  environment: Record<string, string> = {},
): Promise<{ outputs: string[]; stderr: string }> {
  const script = prelude + blocks.map(({ text }) => `${text}\nprintf '\\x1e'\n`).join('')
  const { stdout, stderr } = await promisify(execFile)('bash', ['-eo', 'pipefail', '-c', script], {
    cwd: projectRoot,
    env: { ...process.env, ...environment },
    maxBuffer: 1 << 24,
    timeout: 120_000,
  })
  return { outputs: stdout.split(separator).slice(0, blocks.length), stderr }
}
