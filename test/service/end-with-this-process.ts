/** A test that fails, or is killed, must not leave a process behind. */
import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Reads from a pipe whose other end this process alone has, so that the pipe closes however this process
 * ends. Then it kills the process $1, and the group that $1 leads if it does; after a line it need not.
 */
const guard = 'read -r over || { kill -s KILL -- "-$1"; kill -s KILL "$1"; }'

/** Kills `child` when this process ends, be it by SIGKILL. */
export function endWithThisProcess(child: ChildProcess): void {
  if (child.pid === undefined) return // It could not be started.
  const watching = spawn('sh', ['-c', guard, 'sh', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // Who kills a test with its group leaves it alone.
  })
  watching.unref()
  watching.stdin.on('error', () => undefined) // It was killed itself.
  const kill = () => child.kill('SIGKILL')
  process.on('exit', kill)
  child.on('exit', () => {
    process.off('exit', kill)
    watching.stdin.end('over\n')
  })
}
