/**
 * The messages of the made records: from templates, or the lines of real logs.
 *
 * Of several files each service has one, the n-th the file n modulo their number: a stream is one
 * system, as in life. Its lines come in turn, over and over, and would be the same each time; so in
 * every run of three or more digits the last two are chance, as ids and times differ.
 */
import { phraseShare, phraseTemplates, substringShare, substringTemplates } from './needles.ts'
import type { Random } from './random.ts'
import { services } from './streams.ts'
import { compileTemplate, makeSlots } from './templates/slots.ts'
import type { Level } from './templates/template.ts'

const digitPairs = Array.from({ length: 100 }, (_, pair) => String(pair).padStart(2, '0'))

/** Returns the next message of a service (an index into `services`) at a level. */
export type NextMessage = (service: number, level: Level) => string

export function makeMessages(random: Random, from?: readonly (readonly string[])[]): NextMessage {
  return from === undefined ? fromTemplates(random) : fromLines(random, from)
}

function fromTemplates(random: Random): NextMessage {
  const slots = makeSlots(random)
  const compile = (templates: readonly string[]) =>
    templates.map(template => compileTemplate(template, slots))
  const compiled = services.map(({ templates }) => ({
    debug: compile(templates.debug),
    info: compile(templates.info),
    warn: compile(templates.warn),
    error: compile(templates.error),
  }))
  const phraseMakers = compile(phraseTemplates)
  const substringMakers = compile(substringTemplates)

  return (service, level) => {
    const chance = random.unit()
    if (chance < phraseShare) {
      return random.pick(phraseMakers)()
    }
    if (chance < phraseShare + substringShare) {
      return random.pick(substringMakers)()
    }
    // The first templates of a level are the commonest, as a real service's few favourites are.
    const makers = compiled[service]![level]
    const index = Math.floor(random.unit() * random.unit() * makers.length)
    return makers[index]!()
  }
}

function fromLines(random: Random, files: readonly (readonly string[])[]): NextMessage {
  if (files.length === 0 || files.some(lines => lines.length === 0)) {
    throw new Error('there is no line to make messages from')
  }
  const vary = (digits: string) => digits.slice(0, -2) + digitPairs[random.below(100)]!
  const nexts = services.map(() => 0)
  return service => {
    const lines = files[service % files.length]!
    const line = lines[nexts[service]!++ % lines.length]!
    return line.replace(/[0-9]{3,}/g, vary)
  }
}
