/** One service for all tests of a process to which starting, stopping and options are no subject. */
import { t as root } from 'tap'
import { directoryOfProcess } from '../directory-of-process.ts'
import { type ServiceProcess, startService } from './service-process.ts'

let shared: Promise<ServiceProcess> | undefined

/**
 * Begun by the first that asks for it, with the settings that there are without any; ends with the process.
 * A test sends under names of services of its own, and asks for these.
 */
export function sharedService(): Promise<ServiceProcess> {
  shared ??= serviceOfProcess('shared')
  return shared
}

/** The shared one, and a token to send to it with, of a service and an environment. */
export async function sharedSender(...of: Parameters<ServiceProcess['makeToken']>) {
  const service = await sharedService()
  return { service, token: await service.makeToken(...of) }
}

/** Another that ends with the process, for tests that ask for all there is: `name` is that of its directory. */
export function serviceOfProcess(name: string): Promise<ServiceProcess> {
  const service = startService(directoryOfProcess(name))
  root.teardown(async () => (await service).end('SIGKILL'))
  return service
}
