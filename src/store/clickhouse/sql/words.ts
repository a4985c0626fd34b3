/**
 * What the index of words (`word-index.ts`) can say of a message that holds a text: conditions that are
 * true of all such messages, and of others, beside the one that looks into each.
 */
import { wordsOfBody } from '../word-index.ts'
import type { Bound } from './bound.ts'
import { all, always, any, exactly, type Truth } from './truth.ts'

/** Of fewer letters the server compares every message, with digits out, which takes longer than it spares. */
const lettersMin = 4
/** So many of the longest words of a text are looked for. */
const wordsMax = 16

/** Follows from a message having all texts of one of the lists; `always` where that says nothing. */
export function wordsOfAny(choices: readonly (readonly string[])[], bound: Bound): Truth {
  if (choices.length === 0) return always
  return any(choices.map(texts => all(texts.map(text => wordsOf(text, bound)))))
}

/**
 * Follows from a message having the text. Words with a sign or digit on either side are words of the message;
 * the first and last may be parts of its words, of which the longest is looked for inside of words.
 */
function wordsOf(text: string, bound: Bound): Truth {
  const inner: string[] = []
  let part = ''
  for (const { 0: letters, index } of text.matchAll(/[A-Za-z]+/g)) {
    const [before, after] = [text[index - 1], text[index + letters.length]]
    if (isBoundary(before) && isBoundary(after)) inner.push(letters)
    else if (letters.length > part.length) part = letters
  }
  const found: Truth[] = []
  if (inner.length > 0) {
    const words = inner.toSorted((a, b) => b.length - a.length).slice(0, wordsMax)
    found.push(exactly(`hasAllTokens(${wordsOfBody}, ${bound.texts(words)})`))
  }
  if (part.length >= lettersMin) {
    found.push(exactly(`${wordsOfBody} LIKE ${bound.text(`%${part}%`)}`))
  }
  return all(found)
}

/** What the index takes for no part of a word: anything of ASCII but letters. */
function isBoundary(sign: string | undefined): boolean {
  return sign !== undefined && sign < '\u0080'
}
