/**
 * Templates of lines and labels, as LogQL takes them from Go: `{{.status}} {{.path | ToUpper}}`,
 * `{{if eq .level "error"}}!{{else}} {{end}}`. This is their form; what their functions do stands in
 * `query/stages/render.ts`. `range`, `with`, variables and `define` are not taken.
 */

import { limits } from '../limits.ts'
import { patternFunctions, templateFunctions } from './template-functions.ts'

export type Operand =
  | { readonly kind: 'label'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'pipeline'; readonly pipeline: Pipeline }

/** A function with its arguments, or an operand alone. */
export type Command =
  | Operand
  | { readonly kind: 'call'; readonly name: string; readonly operands: readonly Operand[] }

/** Each command gets the result of the one before as its last operand. */
export type Pipeline = readonly Command[]

export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly pipeline: Pipeline }
  | {
      readonly kind: 'if'
      readonly test: Pipeline
      readonly then: readonly TemplatePart[]
      readonly otherwise: readonly TemplatePart[]
    }

/** The parts of a template, or, in words, what one would be. */
export function parseTemplate(text: string): readonly TemplatePart[] | string {
  try {
    return new TemplateReader(text).read()
  } catch (error) {
    if (error instanceof TemplateMistake) return error.message
    throw error
  }
}

/** The regular expressions in a template. */
export function patternsOf(parts: readonly TemplatePart[]): string[] {
  const ofPipeline = (pipeline: Pipeline): string[] =>
    pipeline.flatMap(command => {
      if (command.kind === 'pipeline') return ofPipeline(command.pipeline)
      if (command.kind !== 'call') return []
      const [first] = command.operands
      const own = patternFunctions.has(command.name) && first?.kind === 'text' ? [first.text] : []
      return [...own, ...ofPipeline(command.operands)]
    })
  return parts.flatMap(part => {
    if (part.kind === 'text') return []
    if (part.kind === 'action') return ofPipeline(part.pipeline)
    return [...ofPipeline(part.test), ...patternsOf(part.then), ...patternsOf(part.otherwise)]
  })
}

class TemplateMistake extends Error {}

/** What to do instead of what Loki's templates have besides. */
const instead: readonly (readonly [RegExp, string])[] = [
  [/^(range|with)$/, '| json name="path[0]" reads one item of a list'],
  [/^(define|block|template)$/, 'write it out'],
  [/^fromJson$/, '| json reads the labels of a line, | json name="path" one'],
  [/^dateInZone$/, 'date writes times in UTC'],
]

function unknown(word: string): TemplateMistake {
  const remedy = instead.find(([names]) => names.test(word))?.[1]
  return new TemplateMistake(
    `a template without the function ${word}${remedy === undefined ? '' : ` (${remedy})`}`,
  )
}

const wordForm =
  /\s*(?:(\.[A-Za-z_][A-Za-z0-9_]*)|("(?:[^"\\\n]|\\.)*"|`[^`]*`)|([-+]?[.]?[0-9][0-9A-Za-z.]*)|([A-Za-z_][A-Za-z0-9_]*)|([|()]))/y

interface Action {
  readonly words: readonly string[]
}

/** Texts and actions in turn, the spaces that `{{-` and `-}}` take already gone. */
function piecesOf(text: string): (string | Action)[] {
  const pieces: (string | Action)[] = []
  let at = 0
  for (;;) {
    const open = text.indexOf('{{', at)
    if (open === -1) break
    const words: string[] = []
    const trimsBefore = /^\{\{-\s/.test(text.slice(open, open + 4))
    let end = open + (trimsBefore ? 3 : 2)
    const isComment = text.startsWith('/*', end)
    if (isComment) end = text.indexOf('*/', end) + 2
    if (isComment && end === 1) throw new TemplateMistake('a template whose comments end with */')
    for (;;) {
      const close = /\s*(?:\s-)?\}\}/y
      close.lastIndex = end
      if (close.test(text)) break
      wordForm.lastIndex = end
      const found = wordForm.exec(text)
      if (found === null)
        throw new TemplateMistake('a template such as {{.label}} {{.other | ToUpper}}')
      words.push(found[0].trimStart())
      end = wordForm.lastIndex
    }
    const closeAt = text.indexOf('}}', end)
    const before = text.slice(at, open)
    pieces.push(trimsBefore ? before.trimEnd() : before)
    if (!isComment) pieces.push({ words })
    at = closeAt + 2
    if (/\s-$/.test(text.slice(end, closeAt))) at += /^\s*/.exec(text.slice(at))![0].length
  }
  pieces.push(text.slice(at))
  return pieces
}

class TemplateReader {
  readonly #pieces: readonly (string | Action)[]
  #piece = 0
  #words: readonly string[] = []
  #word = 0

  constructor(text: string) {
    this.#pieces = piecesOf(text)
  }

  read(): readonly TemplatePart[] {
    const parts = this.#parts(0)
    if (this.#piece < this.#pieces.length)
      throw new TemplateMistake('a template with an if for each end')
    return parts
  }

  /** Up to the end, or to `else` or `end`, which is left to be read. */
  #parts(depth: number): TemplatePart[] {
    if (depth > limits.queryNestingMax) {
      throw new TemplateMistake(`a template nested at most ${limits.queryNestingMax} deep`)
    }
    const parts: TemplatePart[] = []
    for (; this.#piece < this.#pieces.length; this.#piece++) {
      const piece = this.#pieces[this.#piece]!
      if (typeof piece === 'string') {
        if (piece !== '') parts.push({ kind: 'text', text: piece })
        continue
      }
      const [first] = piece.words
      if (first === 'else' || first === 'end') return parts
      this.#words = piece.words
      this.#word = first === 'if' ? 1 : 0
      const pipeline = this.#pipeline(depth)
      if (this.#word < this.#words.length) this.#refuse()
      if (first === 'if') parts.push(this.#branches(pipeline, depth))
      else parts.push({ kind: 'action', pipeline })
    }
    return parts
  }

  /** What follows an `if`, up to its `end`. */
  #branches(test: Pipeline, depth: number): TemplatePart {
    this.#piece++
    const then = this.#parts(depth + 1)
    const piece = this.#pieces[this.#piece]
    if (piece === undefined) throw new TemplateMistake('a template with an end for each if')
    const { words } = piece as Action
    if (words[0] === 'end') return { kind: 'if', test, then, otherwise: [] }
    if (words[1] === 'if') {
      this.#words = words
      this.#word = 2
      const otherTest = this.#pipeline(depth)
      return { kind: 'if', test, then, otherwise: [this.#branches(otherTest, depth + 1)] }
    }
    this.#piece++
    const otherwise = this.#parts(depth + 1)
    const end = this.#pieces[this.#piece]
    const isEnd = typeof end === 'object' && end.words[0] === 'end'
    if (!isEnd) throw new TemplateMistake('a template with an end for each if')
    return { kind: 'if', test, then, otherwise }
  }

  #pipeline(depth: number): Pipeline {
    if (depth > limits.queryNestingMax) this.#refuse()
    const commands = [this.#command(depth, false)]
    while (this.#words[this.#word] === '|') {
      this.#word++
      commands.push(this.#command(depth, true))
    }
    return commands
  }

  #command(depth: number, isPiped: boolean): Command {
    const word = this.#words[this.#word]
    if (word === undefined || !/^[A-Za-z_]/.test(word)) {
      if (isPiped) this.#refuse()
      return this.#operand(depth) ?? this.#refuse()
    }
    const known = templateFunctions.get(word)
    if (known === undefined) throw unknown(word)
    this.#word++
    const operands: Operand[] = []
    for (
      let operand = this.#operand(depth);
      operand !== undefined;
      operand = this.#operand(depth)
    ) {
      operands.push(operand)
    }
    const count = operands.length + (isPiped ? 1 : 0)
    if (count < known.least || count > known.most) {
      const wanted = known.least === known.most ? `${known.least}` : `${known.least} or more`
      throw new TemplateMistake(`a template with ${wanted} arguments for ${word}`)
    }
    if (patternFunctions.has(word) && operands[0]!.kind !== 'text') {
      throw new TemplateMistake(`a template with an expression in quotes behind ${word}`)
    }
    return { kind: 'call', name: word, operands }
  }

  #operand(depth: number): Operand | undefined {
    const word = this.#words[this.#word]
    if (word === undefined || word === '|' || word === ')') return undefined
    this.#word++
    if (/^[.][A-Za-z_]/.test(word)) return { kind: 'label', name: word.slice(1) }
    if (word.startsWith('`')) return { kind: 'text', text: word.slice(1, -1) }
    if (word.startsWith('"')) return { kind: 'text', text: unquoted(word) }
    if (/^[-+.0-9]/.test(word)) return { kind: 'text', text: word }
    if (word === '(') {
      const pipeline = this.#pipeline(depth + 1)
      if (this.#words[this.#word] !== ')') this.#refuse()
      this.#word++
      return { kind: 'pipeline', pipeline }
    }
    this.#word--
    return this.#callWithoutOperands(word)
  }

  /** As in Go, a function among operands stands there for its result without any. */
  #callWithoutOperands(word: string): Operand {
    const known = templateFunctions.get(word)
    if (known === undefined) throw unknown(word)
    if (known.least > 0) throw new TemplateMistake(`a template with ${word} in parentheses`)
    this.#word++
    return { kind: 'pipeline', pipeline: [{ kind: 'call', name: word, operands: [] }] }
  }

  #refuse(): never {
    throw new TemplateMistake('a template such as {{.label}} {{.other | ToUpper}}')
  }
}

function unquoted(word: string): string {
  try {
    return JSON.parse(word)
  } catch {
    throw new TemplateMistake('a template whose texts have only the escapes of JSON')
  }
}
