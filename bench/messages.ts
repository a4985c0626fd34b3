/** The messages of the made records: from templates, or the lines of real logs in turn. */
import { phraseShare, phraseTemplates, substringShare, substringTemplates } from './needles.ts'
import type { Random } from './random.ts'
import { services } from './streams.ts'
import { compileTemplate, makeSlots } from './templates/slots.ts'
import type { Level } from './templates/template.ts'

/** Gives the next message of a service (an index into `services`) at a level. */
export type NextMessage = (service: number, level: Level) => string

export function makeMessages(random: Random, from?: readonly string[]): NextMessage {
  return from === undefined ? fromTemplates(random) : fromLines(from)
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

function fromLines(lines: readonly string[]): NextMessage {
  if (lines.length === 0) {
    throw new Error('there is no line to make messages from')
  }
  let next = 0
  return () => lines[next++ % lines.length]!
}
