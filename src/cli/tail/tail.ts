/** `logstrata tail`: prints the records of a running service as they come in. */
import { paintFor } from '../colours.ts'
import { membersOf, parseJson } from '../json.ts'
import { Output } from '../output.ts'
import { jsonLine, printableJson } from '../printable.ts'
import { explainFault } from '../query/fault.ts'
import { readRecord, recordLine } from '../record-lines.ts'
import { numberText } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { tailEvents } from './events.ts'
import { readTailOptions } from './options.ts'

/** Resolves with 0 when it was interrupted, or nobody reads any more. Throws CommandError. */
export async function runTail(argv: readonly string[], terminal: Terminal): Promise<number> {
  const options = readTailOptions(argv, terminal.environment)
  const { stdout, stderr, pause } = terminal
  const output = new Output(stdout)
  const paint = paintFor(terminal, stdout)
  const note = (text: string) => stderr.write(`logstrata: ${text}\n`)

  const events = tailEvents({
    ...options,
    pause,
    signal: AbortSignal.any([terminal.interrupts(), output.closed]),
    onLost: (reason, waitMs) => note(`${reason}; trying again in ${waitMs / 1000} s`),
    onBack: () => note('connected again'),
  })
  try {
    for await (const { event, data } of events) {
      if (event === 'record') await output.write(recordText(data))
      if (event === 'dropped') note(droppedText(data))
    }
  } catch (error) {
    throw explainFault(error, options.query)
  }
  return 0

  function recordText(data: string): string {
    if (options.json) return `${printableJson(data)}\n`
    const record = readRecord(parseJson(data))
    return record === undefined ? jsonLine(data) : `${recordLine(record, paint)}\n`
  }
}

function droppedText(data: string): string {
  const { count } = membersOf(parseJson(data))
  const many = typeof count === 'number' ? numberText(count) : 'some'
  return `${many} records were dropped: they came in faster than they were taken`
}
