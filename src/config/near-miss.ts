/** The word that somebody most likely meant to type. */

/**
 * The nearest of `words`, if it is near enough to suggest: the text is its beginning (of three
 * letters or more), or at most a third of the text's letters have to change.
 */
export function nearMiss(text: string, words: Iterable<string>): string | undefined {
  let nearest: string | undefined
  let nearestDistance = Math.floor(text.length / 3) + 1
  for (const word of words) {
    const isBeginning = text.length >= 3 && word.startsWith(text)
    const distance = isBeginning ? 0 : editDistance(text, word)
    if (distance < nearestDistance) {
      nearest = word
      nearestDistance = distance
    }
  }
  return nearest
}

/** Levenshtein's distance: letters to insert, delete or replace to make `a` into `b`. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      current[column] = Math.min(
        current[column - 1]! + 1,
        previous[column]! + 1,
        previous[column - 1]! + (isSame ? 0 : 1),
      )
    }
    previous = current
  }
  return previous[b.length]!
}
