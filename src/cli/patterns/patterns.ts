/** `logstrata patterns`: asks a running service which kinds of messages there are, and prints them. */
import { requestJson, strangeAnswer } from '../api.ts'
import { isObject } from '../json.ts'
import { type Output, printTo } from '../output.ts'
import { jsonLine, printable } from '../printable.ts'
import { explainFault } from '../query/fault.ts'
import { tellInterpretation } from '../query/interpretation.ts'
import { alignTable, numberText } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { type PatternsOptions, readPatternsOptions } from './options.ts'
import { sparkline } from './sparkline.ts'

/** Resolves with 0 when the answer was printed. Throws ConfigError and CommandError. */
export async function runPatterns(argv: readonly string[], terminal: Terminal): Promise<number> {
  const options = readPatternsOptions(argv, terminal.environment, Date.now())
  await printTo(terminal.stdout, async output => {
    try {
      await printPatterns(options, output, terminal)
    } catch (error) {
      // Whoever read has gone, and the request under way went with him.
      if (!output.closed.aborted) throw explainFault(error, options.query)
    }
  })
  return 0
}

async function printPatterns(
  { api, query, range, compareWith, limit, json, timeoutMs }: PatternsOptions,
  output: Output,
  terminal: Terminal,
): Promise<void> {
  const answer = await requestJson(api, {
    method: 'POST',
    path: '/api/v1/query/logs/patterns',
    body: { query, ...range, compareWith, limit, timeoutMs },
    signal: output.closed,
  })
  const { patterns, count, patternCount, truncated, interpretedAs } = answer
  if (!Array.isArray(patterns) || typeof count !== 'number') throw strangeAnswer(api.url)
  tellInterpretation(interpretedAs, terminal)
  if (truncated === true) {
    const what = 'too many patterns: of rare ones counts are too low, or missing'
    terminal.stderr.write(`logstrata: ${what}\n`)
  }
  if (json) {
    await output.write(patterns.map(jsonLine).join(''))
    return
  }
  const kinds = `${numberText(Number(patternCount))} ${patternCount === 1 ? 'pattern' : 'patterns'}`
  const records = `${numberText(count)} ${count === 1 ? 'record' : 'records'}`
  const table = patternTable(patterns.map(readPattern), compareWith !== undefined)
  await output.write(`${records} of ${kinds}\n${table.map(line => `${line}\n`).join('')}`)
}

interface PatternRow {
  readonly text: string
  readonly count: number
  readonly share: number
  readonly buckets: readonly number[]
  readonly change: { readonly kind: string; readonly countBefore: number } | undefined
}

function readPattern(pattern: unknown): PatternRow {
  const { text, count, share, buckets, change } = Object(pattern) as Record<string, unknown>
  return {
    text: String(text),
    count: Number(count),
    share: Number(share),
    buckets: Array.isArray(buckets) ? buckets.map(Number) : [],
    change: isObject(change)
      ? { kind: String(change.kind), countBefore: Number(change.countBefore) }
      : undefined,
  }
}

function patternTable(rows: readonly PatternRow[], isCompared: boolean): string[] {
  if (rows.length === 0) return []
  return alignTable(
    ['share', 'count', ...(isCompared ? ['before', 'change:'] : []), 'trend:', 'pattern:'],
    rows.map(({ text, count, share, buckets, change }) => [
      `${(100 * share).toFixed(1)}%`,
      numberText(count),
      ...(isCompared ? [numberText(change?.countBefore ?? 0), printable(change?.kind ?? '')] : []),
      sparkline(buckets),
      printable(text),
    ]),
  )
}
