/**
 * How `npm start` runs the service: the environment and Node's flags, as the script of package.json
 * has them, so that benchmarks measure what people run.
 */
import { readFileSync } from 'node:fs'

export interface StartScript {
  /** Set for the process beside what is set already. */
  readonly environment: Readonly<Record<string, string>>
  /** Given to Node before the program's path. */
  readonly nodeFlags: readonly string[]
}

/** Throws when the script is no longer of the form `NAME=VALUE… exec node --FLAG… src/start.js serve`. */
export function readStartScript(): StartScript {
  const { scripts } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as { scripts: { start: string } }
  const form = /^((?:\w+=\S+ )*)exec node ((?:--\S+ )*)src\/start\.js serve$/
  const [, settings, flags] = form.exec(scripts.start) ?? []
  if (settings === undefined || flags === undefined) {
    throw new Error(`package.json's start script has another form: ${scripts.start}`)
  }
  const pairs = wordsOf(settings).map(word => {
    const equals = word.indexOf('=')
    return [word.slice(0, equals), word.slice(equals + 1)]
  })
  return { environment: Object.fromEntries(pairs), nodeFlags: wordsOf(flags) }
}

function wordsOf(text: string): string[] {
  return text.split(' ').filter(word => word !== '')
}
