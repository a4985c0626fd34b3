/** LogQL's patterns of lines: `<ip> - <_> "<method> <path>"`, texts with captures between them. */

/** A capture; `_` for one whose text nobody wants. */
export interface Capture {
  readonly capture: string
}

/** Texts and captures in turn. */
export type LinePattern = readonly (string | Capture)[]

const capture = /<([A-Za-z_][A-Za-z0-9_]*)>/g

/** The parts of a pattern, or, in words, what a pattern would be. */
export function parseLinePattern(text: string): LinePattern | string {
  const parts: (string | Capture)[] = []
  const names = new Set<string>()
  let end = 0
  for (const found of text.matchAll(capture)) {
    const name = found[1]!
    if (found.index > end) parts.push(text.slice(end, found.index))
    else if (parts.length > 0) return 'a pattern with a text between two captures'
    if (name !== '_' && names.has(name)) return `a pattern with <${name}> once`
    if (name !== '_') names.add(name)
    parts.push({ capture: name })
    end = found.index + found[0].length
  }
  if (names.size === 0) return 'a pattern with a capture, such as <name>'
  if (end < text.length) parts.push(text.slice(end))
  return parts
}

/** The captured texts of a line by their names; those after a text that is missing are missing, too. */
export function matchLinePattern(
  pattern: LinePattern,
  line: string,
  take: (name: string, text: string) => void,
): void {
  // As in LogQL nothing is captured of no line, and labels stay as they are.
  if (line === '') return
  let at = 0
  let open: Capture | undefined
  for (const part of pattern) {
    if (typeof part !== 'string') {
      open = part
      continue
    }
    const found = line.indexOf(part, at)
    if (open === undefined) {
      if (found !== 0) return // A text at the beginning is at the beginning of the line.
    } else {
      const end = found === -1 ? line.length : found
      if (open.capture !== '_') take(open.capture, line.slice(at, end))
      if (found === -1) return
      open = undefined
    }
    at = found + part.length
  }
  if (open !== undefined && open.capture !== '_') take(open.capture, line.slice(at))
}
