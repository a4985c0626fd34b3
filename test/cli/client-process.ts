/** The program as a process of its own, as somebody types it at a shell. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { builtProgram, passedOn } from '../built.ts'
import { endWithThisProcess } from '../service/end-with-this-process.ts'
import { gatherOutput } from '../service/service-process.ts'

const program = await builtProgram()

export interface Client {
  readonly child: ChildProcess
  /** What was printed so far. */
  readonly output: { stdout: string; stderr: string }
  /** Resolves when standard output holds the text; rejects when the process ends without it. */
  printed(text: string): Promise<void>
  /** Resolves with the exit code, or the signal's name, when all that it printed has come. */
  readonly end: Promise<number | string>
}

/** Starts a command against the service at `url`. Standard input is `stdin`, then closed. */
export function startClient(url: string, key: string, argv: readonly string[], stdin = ''): Client {
  const child = spawn(process.execPath, [program, ...argv], {
    stdio: 'pipe',
    env: { ...passedOn(), LOGSTRATA_URL: url, LOGSTRATA_KEY: key },
  })
  endWithThisProcess(child)
  child.stdin.on('error', () => {}).end(stdin)
  const output = gatherOutput(child)
  const end = once(child, 'close').then(([code, signal]) => code ?? signal)
  const stop = new AbortController()
  void end.then(() => stop.abort())
  return {
    child,
    output,
    end,
    async printed(text) {
      while (!output.stdout.includes(text)) {
        await once(child.stdout, 'data', { signal: stop.signal }).catch(() => {
          throw new Error(`ended without printing ${text}: ${output.stdout}${output.stderr}`)
        })
      }
    },
  }
}

/** Runs a command to its end. */
export async function runClient(
  url: string,
  key: string,
  argv: readonly string[],
  stdin = '',
): Promise<{ code: number | string; stdout: string; stderr: string }> {
  const { end, output } = startClient(url, key, argv, stdin)
  return { code: await end, ...output }
}
