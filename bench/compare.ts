/**
 * Did a change make it faster? `npm run bench:compare -- BEFORE.json AFTER.json`, or with several runs of
 * each side `npm run bench:compare -- --before A.json B.json --after C.json D.json`: files that `--json`
 * of one benchmark wrote.
 *
 * For each work and measure the medians of all values of a side, the least and the most of them, what the
 * second median is of the first, and whether it changed beyond the spread.
 */
import { parseArgs } from 'node:util'
import { compareResults } from './comparison.ts'
import { readResults } from './results.ts'

const [before, after] = readSides(process.argv.slice(2))
console.log(compareResults(before.map(readResults), after.map(readResults)))

/** Throws unless each side has a file. */
function readSides(args: string[]): [before: string[], after: string[]] {
  const { tokens, positionals } = parseArgs({
    args,
    options: {
      before: { type: 'string', multiple: true },
      after: { type: 'string', multiple: true },
    },
    allowPositionals: true,
    tokens: true,
  })
  const sides: { before: string[]; after: string[] } = { before: [], after: [] }
  let side: 'before' | 'after' | undefined
  for (const token of tokens) {
    if (token.kind === 'option') {
      side = token.name as 'before' | 'after'
      sides[side].push(token.value!)
    } else if (token.kind === 'positional' && side !== undefined) {
      sides[side].push(token.value) // `--before A B`: the further names stand alone.
    }
  }
  const [first, second, ...more] = positionals
  if (side === undefined && first !== undefined && second !== undefined && more.length === 0) {
    return [[first], [second]]
  }
  if (sides.before.length === 0 || sides.after.length === 0) {
    throw new Error('name two files, or some after --before and some after --after')
  }
  return [sides.before, sides.after]
}
