/** The program as it is built and shipped, made anew when sources have changed since. */
import { join } from 'node:path'
import { buildServer } from '../src/build/server.js'

export const projectRoot = join(import.meta.dirname, '..')

/** The path of the program that `logstrata` runs. Resolves at once when it is up to date. */
export async function builtProgram(): Promise<string> {
  isBuilt ??= buildServer()
  await isBuilt
  return join(projectRoot, 'build/server/main.js')
}

let isBuilt: Promise<boolean> | undefined
