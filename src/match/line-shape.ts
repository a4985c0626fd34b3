/**
 * LogQL's patterns that filter lines: `<_> took <_> ms`. Texts stand in a line in their order, each at the
 * first place where it is found, with something in the place of each `<_>`; the last one ends the line. As
 * Loki does it (3.x, `pkg/logql/log/pattern`): what is before the first text is not looked at.
 */

/** What stands for any text but the empty one. */
export const anyText = '<_>'

/** The texts of a pattern; empty where it begins or ends with `<_>`. */
export function textsOfShape(pattern: string): readonly string[] {
  return pattern.split(anyText)
}

/** Whether a line is of a pattern; `texts`: as `textsOfShape` returns them. */
export function hasShape(texts: readonly string[], line: string): boolean {
  const isEmpty = texts.length === 1 && texts[0] === ''
  if (line === '' || isEmpty) return line === '' && isEmpty
  let end = 0
  for (const [i, text] of texts.entries()) {
    if (text === '') continue
    const start = line.indexOf(text, end)
    if (start === -1 || (i > 0 && start === end)) return false
    end = start + text.length
  }
  return (texts.at(-1) === '') === end < line.length
}
