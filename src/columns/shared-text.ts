/**
 * One copy of texts that thousands of blocks have alike: templates of messages, names of columns. What a
 * scan thread keeps of a block is mostly these, each a string of its own when it is read.
 */

/** Longer texts are seldom alike. */
const lengthMax = 512
/** At most 2 MiB, or 4 of other letters than Latin ones, should all be that long. */
const countMax = 4_096

const known = new Map<string, string>()

/** The same text; of equal ones mostly the same string, so that the others need not be kept. */
export function sharedText(text: string): string {
  if (text.length > lengthMax) return text
  const shared = known.get(text)
  if (shared !== undefined) return shared
  if (known.size >= countMax) known.clear() // Others will be wanted now; those in use stay where they are.
  known.set(text, text)
  return text
}
