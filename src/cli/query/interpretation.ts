/** Says which query plain words became, beside the answer. */
import { printable } from '../printable.ts'
import type { Terminal } from '../terminal.ts'

/** `interpretedAs`: the member of an answer; undefined for a query that was not of words. */
export function tellInterpretation(interpretedAs: unknown, terminal: Terminal): void {
  if (typeof interpretedAs !== 'string') return
  terminal.stderr.write(`logstrata: the words were read as: ${printable(interpretedAs)}\n`)
}
