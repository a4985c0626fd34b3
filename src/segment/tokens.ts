/**
 * Words: maximal runs of ASCII letters and digits, the same that a template column takes apart. All
 * other bytes, those of every other character included, separate words.
 */
import { getOrInsertComputed } from '../get-or-insert.ts'
import type { Test } from '../match/condition.ts'
import { requiredLiterals } from '../match/literals.ts'

/** 1 for the bytes of words. */
export const isWordByte = new Uint8Array(256)
for (const character of '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ') {
  isWordByte[character.charCodeAt(0)] = 1
}

/** The words of a text, each once. */
export function wordsOf(bytes: Buffer): string[] {
  return collectWords(bytes, () => true)
}

/**
 * The words, each once, that every text has which contains these bytes: those with a separator on
 * both sides. A run at either end may be a part of a longer word there.
 */
export function wordsInside(bytes: Buffer): string[] {
  return collectWords(bytes, (start, end) => start > 0 && end < bytes.length)
}

/**
 * The words that a text must have, each once, to pass a test (negation left aside). Empty when there
 * is nothing to say; of a regular expression, those inside of the literals that it must find.
 */
export function wordsThatMustOccur(test: Test): string[] {
  if (test.kind === 'equals') return wordsOf(test.bytes)
  if (test.kind === 'contains') return wordsInside(test.bytes)
  if (test.pattern.words !== undefined) return [...test.pattern.words]
  const literals = requiredLiterals(test.pattern.source)
  return [...new Set(literals.flatMap(literal => wordsInside(Buffer.from(literal))))]
}

/** The same for every block of a query. */
const wordsByTest = new WeakMap<Test, readonly string[]>()

/** `wordsThatMustOccur`, worked out once for a test. */
export function wordsOfTest(test: Test): readonly string[] {
  return getOrInsertComputed(wordsByTest, test, wordsThatMustOccur)
}

function collectWords(bytes: Buffer, isWanted: (start: number, end: number) => boolean): string[] {
  const words = new Set<string>()
  let start = 0
  while (start < bytes.length) {
    if (isWordByte[bytes[start]!] === 0) {
      start++
      continue
    }
    let end = start + 1
    while (end < bytes.length && isWordByte[bytes[end]!] === 1) end++
    if (isWanted(start, end)) words.add(bytes.toString('latin1', start, end))
    start = end
  }
  return [...words]
}
