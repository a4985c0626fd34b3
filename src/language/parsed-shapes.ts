/**
 * Texts that differ in words between quotes alone are parsed once: who looks for ids, or types a word, asks
 * the same question with another word each time, and to parse it takes longer than to look the word up.
 *
 * A text's shape is parsed with marks in the place of its words, and what came of it gets the words in
 * the place of the marks. That is the same where a word is a value that nobody looks into: behind `=`, `!=`
 * or `|=`, of letters and digits, in a query without stages, expressions and comments.
 */

/** Shapes that are kept, and words of each. */
const shapesMax = 32
const wordsMax = 16

const wordBehindSign = /(=\s*)"([0-9A-Za-z]{1,200})"/g
const beginning = /^\s*(?:count\s*\(\s*)?(?:logs\b|\{)/
/** Longer than a word can be. */
const markStem = `mark${'0'.repeat(200)}`
/** Beside words: what may make more of them than values, or hold one of another kind. */
const lookedInto = new RegExp(`["'\`#]|\\|(?!=)|__name__|${markStem}`)
const marks = Array.from({ length: wordsMax }, (_, number) => `${markStem}x${number}x`)

/** Plain data, or a part of it. */
type Data = unknown

/** Where a word stands in what was parsed. */
class WordPlace {
  readonly number: number

  constructor(number: number) {
    this.number = number
  }
}

export class ParsedShapes<Parsed> {
  readonly #parse: (text: string) => Parsed
  /** What was parsed, with places of words, by text without words; undefined: it depends on these in other
   *  ways, too. The one that was asked for last stands last. */
  readonly #kept = new Map<string, Data>()

  /** What `parse` gives is plain data. */
  constructor(parse: (text: string) => Parsed) {
    this.#parse = parse
  }

  /** What parsing the text would give; undefined where only that tells. */
  of(text: string): Parsed | undefined {
    if (!beginning.test(text)) return undefined
    const words: string[] = []
    const key = text.replace(wordBehindSign, (_, sign: string, word: string) => {
      words.push(word)
      return `${sign}\0`
    })
    if (words.length === 0 || words.length > wordsMax || lookedInto.test(key)) return undefined
    const shape = this.#kept.has(key) ? this.#kept.get(key) : this.#shapeOf(text)
    this.#kept.delete(key)
    this.#kept.set(key, shape)
    if (this.#kept.size > shapesMax) this.#kept.delete(this.#kept.keys().next().value!)
    return copyOf(shape, { wordOf: ({ number }) => words[number]! }) as Parsed | undefined
  }

  #shapeOf(text: string): Data {
    let number = 0
    const marked = text.replace(wordBehindSign, (_, sign) => `${sign}"${marks[number++]}"`)
    try {
      return copyOf(this.#parse(marked), { placeOf })
    } catch {
      return undefined // What is wrong is told of the text itself.
    }
  }
}

/** What stands in the place of a text with marks. Throws where a mark is but a part of it. */
function placeOf(text: string): string | WordPlace {
  if (!text.includes(markStem)) return text
  const number = marks.indexOf(text)
  if (number === -1) throw new TypeError('more is made of a word than a value')
  return new WordPlace(number)
}

interface Copying {
  readonly placeOf?: (text: string) => Data
  readonly wordOf?: (place: WordPlace) => string
  /** What stands in it twice is one in the copy, too. */
  readonly copies?: Map<object, Data>
}

/** Throws TypeError for what is not plain data. */
function copyOf(data: Data, how: Copying): Data {
  const { placeOf, wordOf, copies = new Map<object, Data>() } = how
  if (typeof data === 'string') return placeOf?.(data) ?? data
  if (typeof data !== 'object' || data === null) return data
  if (data instanceof WordPlace) return wordOf!(data)
  const known = copies.get(data)
  if (known !== undefined) return known
  const prototype = Object.getPrototypeOf(data)
  if (prototype !== Object.prototype && prototype !== Array.prototype)
    throw new TypeError('only plain data is copied')
  const copy: Record<string, Data> = Array.isArray(data) ? ([] as never) : {}
  copies.set(data, copy)
  const further = { placeOf, wordOf, copies } as Copying
  for (const key in data) {
    copy[key] = copyOf((data as Record<string, Data>)[key], further)
  }
  return copy
}
