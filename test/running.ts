import { setTimeout as delay } from 'node:timers/promises'

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Whether the process ends within 10 s; it is killed if not, so that no test leaves one behind. */
export async function endsSoon(pid: number): Promise<boolean> {
  const giveUpAt = performance.now() + 10_000
  while (isRunning(pid) && performance.now() < giveUpAt) await delay(5)
  if (!isRunning(pid)) return true
  process.kill(pid, 'SIGKILL')
  return false
}
