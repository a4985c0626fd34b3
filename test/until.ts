import { setTimeout as delay } from 'node:timers/promises'

/** Anything that a test waits for takes seconds at most, ms; a busy machine may need longer. */
const patienceMs = 120_000

/** Resolves when `holds` does, asked after each `pauseMs`. Rejects when that takes two minutes. */
export async function until(holds: () => boolean | Promise<boolean>, pauseMs = 20): Promise<void> {
  const giveUpAt = performance.now() + patienceMs
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`this never became true: ${holds}`)
    await delay(pauseMs)
  }
}
