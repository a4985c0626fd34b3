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

/** A list or object with words in it: what is the same in all texts of a shape, and what is not. */
interface Part {
  readonly data: object
  /** Where a word stands, and its number. */
  readonly words: readonly (readonly [key: string, number: number])[]
  /** Where another part stands, and its number. What stands in two places is one part. */
  readonly parts: readonly (readonly [key: string, number: number])[]
}

/** What texts of a shape are parsed to. */
interface Shape {
  readonly data: unknown
  /** Those of it that have words in them, each behind its own parts: the last one is all of it. */
  readonly parts: readonly Part[]
}

export class ParsedShapes<Parsed> {
  readonly #parse: (text: string) => Parsed
  /** By text without words; undefined: what is parsed depends on these in other ways, too. The one that was
   *  asked for last stands last. */
  readonly #kept = new Map<string, Shape | undefined>()

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
    return shape && (filled(shape, words) as Parsed)
  }

  #shapeOf(text: string): Shape | undefined {
    let number = 0
    const marked = text.replace(wordBehindSign, (_, sign) => `${sign}"${marks[number++]}"`)
    try {
      const data = this.#parse(marked)
      if (typeof data !== 'object') throw new TypeError('all of it may be a word')
      const parts: Part[] = []
      findParts(data, parts, new Map())
      return { data, parts }
    } catch {
      return undefined // What is wrong is told of the text itself.
    }
  }
}

/** A copy with these words. Whatever has no word in it is not copied: nobody changes what was parsed. */
function filled({ data, parts }: Shape, words: readonly string[]): unknown {
  const copies: Record<string, unknown>[] = []
  for (const part of parts) {
    const copy = (
      Array.isArray(part.data) ? [...part.data] : { ...part.data }
    ) as (typeof copies)[0]
    for (const [key, number] of part.words) copy[key] = words[number]
    for (const [key, number] of part.parts) copy[key] = copies[number]
    copies.push(copy)
  }
  return copies.at(-1) ?? data
}

/**
 * Lists the parts of what was parsed from a text with marks. Returns the number of the part that `data` is;
 * undefined when no word is in it. `known`: those that were met before. Throws TypeError for what is not
 * plain data, and where a mark is but a part of a text.
 */
function findParts(
  data: unknown,
  parts: Part[],
  known: Map<object, number | undefined>,
): number | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  if (known.has(data)) return known.get(data)
  const prototype = Object.getPrototypeOf(data)
  if (prototype !== Object.prototype && prototype !== Array.prototype)
    throw new TypeError('only plain data is copied')
  const own: Part & { words: [string, number][]; parts: [string, number][] } = {
    data,
    words: [],
    parts: [],
  }
  for (const [key, value] of Object.entries(data)) {
    const word = typeof value === 'string' ? wordAt(value) : undefined
    const part = findParts(value, parts, known)
    if (word !== undefined) own.words.push([key, word])
    if (part !== undefined) own.parts.push([key, part])
  }
  const hasWords = own.words.length > 0 || own.parts.length > 0
  const number = hasWords ? parts.push(own) - 1 : undefined
  known.set(data, number)
  return number
}

/**
 * The number of the word in whose place a text with marks stands; undefined when in no word's. Throws where a
 * mark is but a part of it.
 */
function wordAt(text: string): number | undefined {
  if (!text.includes(markStem)) return undefined
  const number = marks.indexOf(text)
  if (number === -1) throw new TypeError('more is made of a word than a value')
  return number
}
