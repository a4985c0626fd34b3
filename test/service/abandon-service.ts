/** Starts a service in the directory that is named, prints its process id, and never ends it. */
import { startService } from './service-process.ts'

const { pid } = await startService(process.argv[2]!)
process.stdout.write(`${pid}\n`)
