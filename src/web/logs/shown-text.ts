/**
 * A record's text as pieces that can be shown: what is sought marked, ANSI colours as classes, control
 * characters and those that turn the direction of writing made visible. A text from outside can therefore
 * neither hide nor rearrange what stands around it.
 */

export interface TextPiece {
  readonly text: string
  readonly isMark: boolean
  /** A character that cannot be seen, written out. */
  readonly isControl: boolean
  /** Colour that the text asks for: `red`…; undefined for the one around it. */
  readonly color: AnsiColor | undefined
}

const ansiColors = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const
export type AnsiColor = (typeof ansiColors)[number]

interface Showing {
  /** With the flag `g`. */
  readonly sought?: RegExp | undefined
  /** Line ends become marks; otherwise they and tabs stay. */
  readonly isOneLine: boolean
}

/** Matches are looked for in this much only, characters: an expression may take the square of it. */
const searchedMax = 4_000

const escapes = /\u001b\[([\d;]*)m/g
const unseen = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/

/** Up to U+058F, but for what has no width: nothing there is written from right to left. */
const plain = /^[ -~\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u058f]*$/

/** A text that may stand as it is: every character is seen, takes one place, and turns nothing. */
export function isPlain(text: string): boolean {
  return plain.test(text)
}

export function piecesOf(text: string, { sought, isOneLine }: Showing): readonly TextPiece[] {
  const pieces: TextPiece[] = []
  for (const { text: part, color } of coloured(text)) {
    let at = 0
    for (const [from, to] of placesOf(part, sought)) {
      pieces.push(...visible(part.slice(at, from), { color, isMark: false }, isOneLine))
      pieces.push(...visible(part.slice(from, to), { color, isMark: true }, isOneLine))
      at = to
    }
    pieces.push(...visible(part.slice(at), { color, isMark: false }, isOneLine))
  }
  return pieces
}

/** Parts of one colour, without the sequences that asked for them. */
function coloured(text: string): { text: string; color: AnsiColor | undefined }[] {
  if (!text.includes('\u001b[')) return [{ text, color: undefined }]
  const parts: { text: string; color: AnsiColor | undefined }[] = []
  let color: AnsiColor | undefined
  let at = 0
  for (const found of text.matchAll(escapes)) {
    if (found.index > at) parts.push({ text: text.slice(at, found.index), color })
    at = found.index + found[0].length
    for (const code of (found[1] || '0').split(';').map(Number)) {
      if (code === 0 || code === 39) color = undefined
      else if (code >= 30 && code <= 37) color = ansiColors[code - 30]
      else if (code >= 90 && code <= 97) color = ansiColors[code - 90]
    }
  }
  if (at < text.length) parts.push({ text: text.slice(at), color })
  return parts
}

function placesOf(text: string, sought: RegExp | undefined): readonly [number, number][] {
  if (sought === undefined) return []
  const found = [...text.slice(0, searchedMax).matchAll(sought)]
  return found
    .filter(([match]) => match !== '')
    .map(({ index, 0: match }) => [index, index + match.length])
}

type Look = Pick<TextPiece, 'color' | 'isMark'>

function visible(text: string, look: Look, isOneLine: boolean): TextPiece[] {
  if (text === '') return []
  if (!unseen.test(text)) return [{ text, ...look, isControl: false }]
  const pieces: TextPiece[] = []
  let plain = ''
  const flush = () => {
    if (plain !== '') pieces.push({ text: plain, ...look, isControl: false })
    plain = ''
  }
  for (const character of text) {
    const isKept = !unseen.test(character) || (!isOneLine && /[\n\t]/.test(character))
    if (isKept) {
      plain += character
      continue
    }
    flush()
    pieces.push({ text: nameOf(character), ...look, isControl: true })
  }
  flush()
  return pieces
}

/** `⏎`, `→`, `␀`, or the number of the character, as in `<U+202E>`. */
function nameOf(character: string): string {
  const code = character.charCodeAt(0)
  if (character === '\n') return '⏎'
  if (character === '\t') return '→'
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return '␡'
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}
