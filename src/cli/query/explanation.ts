/** Prints what a query means, and what answering it would read: `logstrata query --explain`. */
import { requestJson, strangeAnswer } from '../api.ts'
import type { Output } from '../output.ts'
import { jsonLine, printable } from '../printable.ts'
import { alignTable, byteText, numberText } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { tellInterpretation } from './interpretation.ts'
import type { QueryOptions } from './options.ts'

/** What the numbers of a scan say, in the order in which parts of the data are left out. */
const counts: readonly (readonly [name: string, what: string])[] = [
  ['blocks', 'blocks of segments'],
  ['blocksPrunedByTime', '- of other times or streams'],
  ['entriesPruned', '- of other levels, journal included'],
  ['sourcesFromIndex', '- answered by the index alone, journal included'],
  ['blocksPrunedByFilter', '- without such words, attributes or values'],
  ['blocksPrunedByTemplate', '- answered by templates or counted values'],
  ['blocksScanned', 'blocks to open'],
  ['framesScanned', 'frames of the journal to read'],
  ['recordsScanned', 'records to test'],
]

export async function printExplanation(
  options: QueryOptions,
  output: Output,
  terminal: Terminal,
): Promise<void> {
  const { api, query, range } = options
  const parameters = new URLSearchParams({
    query,
    startTime: String(range.startTime),
    endTime: String(range.endTime),
  })
  const answer = await requestJson(api, {
    path: `/api/v1/query/explain?${parameters}`,
    signal: output.closed,
  })
  const { query: canonical, reads, interpretedAs } = answer
  if (typeof canonical !== 'string' || !Array.isArray(reads)) throw strangeAnswer(api.url)
  tellInterpretation(interpretedAs, terminal)
  const text = [printable(canonical), ...reads.flatMap(scanLines)].join('\n')
  await output.write(options.json ? jsonLine(answer) : `${text}\n`)
}

function scanLines(read: unknown): string[] {
  const { of, stats } = Object(read) as Record<string, unknown>
  const found = Object(stats) as Record<string, unknown>
  const rows = counts.map(([name, what]) => [what, numberText(Number(found[name] ?? 0))])
  const bytes = ['in their bytes, of which few are read', byteText(Number(found.bytesScanned ?? 0))]
  const table = alignTable(['what:', 'count'], [...rows, bytes])
  return ['', `${printable(String(of))}:`, ...table.slice(1).map(line => `  ${line}`)]
}
