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

/** What the program finds of the environment of the tests; with its compiled code it starts in two thirds of the time. */
export function passedOn(): NodeJS.ProcessEnv {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
  return { PATH, HOME, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) }
}
