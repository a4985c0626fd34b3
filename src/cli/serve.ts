/**
 * `logstrata serve`: the service as a process. Settings in, first steps out, signals to a clean stop.
 */
import { answerInsteadOfStarting, readConfig } from '../config/config.ts'
import { messageWithCauses } from '../problems.ts'
import { type Service, startService } from '../service.ts'
import { sayEnding } from '../store/lock.ts'
import { endNow } from './end-now.ts'
import { demoNotice, firstSteps } from './first-steps.ts'

/**
 * Signals within this time, ms, are one: at a terminal Ctrl-C goes to npm and to the service, and npm
 * passes its own on.
 */
const oneSignalMs = 1_000

/** A service that failed or has stopped, and does not end by itself within this time, ms, is made to. */
const forcedEndMs = 20_000

/** Runs until a signal or a failing disk ends it. Resolves with the exit code. */
export async function runService(argv: readonly string[]): Promise<number> {
  const answer = answerInsteadOfStarting(argv, process.env)
  if (answer !== undefined) {
    process.stdout.write(`${answer}\n`)
    return 0
  }
  const config = readConfig(argv, process.env)
  // From here on a signal counts, also while old files are still being read.
  const asked = new Promise<'asked'>(resolve => {
    let firstAt: number | undefined
    const onSignal = () => {
      const now = performance.now()
      firstAt ??= now
      if (now - firstAt > oneSignalMs) endNow(1) // Somebody is in a hurry. All acknowledged is on disk.
      resolve('asked')
      sayEnding(config.dataDir)
    }
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
  })
  let service: Service
  try {
    service = await startService(config)
  } catch (error) {
    process.stderr.write(`logstrata: ${(error as Error).message}\n`)
    return 1
  }
  for (const name of service.listeners) process.stdout.write(`taking ${name}\n`)
  process.stdout.write(`listening on ${service.url}\n`)
  process.stdout.write(firstSteps(service.url, service.newAdminKey))
  if (config.demo) process.stdout.write(demoNotice(service.url))
  const ending = await Promise.race([asked, service.failed])
  if (ending instanceof Error) {
    process.stderr.write(`logstrata: ${messageWithCauses(ending)}; what was acknowledged is safe\n`)
    sayEnding(config.dataDir)
    endByForce() // A disk that fails may hold up the stop.
  }
  await service.stop()
  endByForce()
  return ending === 'asked' ? 0 : 1
}

/** What failed may never release its thread, and a process with such a thread does not end. */
function endByForce(): void {
  setTimeout(() => {
    process.stderr.write('logstrata: a thread does not end; the process ends without it\n')
    endNow(1)
  }, forcedEndMs).unref()
}
