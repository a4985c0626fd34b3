/**
 * The part of Markdown that notes on a dashboard need: headings, paragraphs, lists, quotes, code, rules,
 * and in lines strong, emphasis, code and links. The result is a tree that is drawn as elements; HTML in the
 * text is text, and links lead to web and mail addresses only.
 */

export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly inner: readonly Inline[] }
  | { readonly kind: 'link'; readonly to: string; readonly inner: readonly Inline[] }

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly inner: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly inner: readonly Inline[] }
  | {
      readonly kind: 'list'
      readonly isNumbered: boolean
      readonly items: readonly (readonly Inline[])[]
    }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'rule' }

const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/
const rule = /^ {0,3}(?:-\s*){3,}$|^ {0,3}(?:\*\s*){3,}$|^ {0,3}(?:_\s*){3,}$/
const item = /^\s{0,12}(?:([-*+])|(\d{1,9})[.)])\s+(.*)$/
const quote = /^ {0,3}> ?(.*)$/
const fence = /^ {0,3}```/

/** Quotes in quotes deeper than this are text. */
const quoteDepthMax = 4

export function parseMarkdown(text: string): readonly Block[] {
  return blocksOf(text.split(/\r\n?|\n/), 0)
}

function blocksOf(lines: readonly string[], depth: number): readonly Block[] {
  const blocks: Block[] = []
  let at = 0
  /** Takes lines from here on for as long as they are of the same kind. */
  const take = (belongs: (line: string) => boolean): readonly string[] => {
    const from = at
    while (at < lines.length && belongs(lines[at]!)) at += 1
    return lines.slice(from, at)
  }
  while (at < lines.length) {
    const line = lines[at]!
    const title = heading.exec(line)
    if (line.trim() === '') {
      at += 1
    } else if (fence.test(line)) {
      at += 1
      const code = take(inside => !fence.test(inside))
      at += 1
      blocks.push({ kind: 'code', text: code.join('\n') })
    } else if (title !== null) {
      at += 1
      blocks.push({ kind: 'heading', level: title[1]!.length, inner: inlinesOf(title[2]!) })
    } else if (rule.test(line)) {
      at += 1
      blocks.push({ kind: 'rule' })
    } else if (quote.test(line) && depth < quoteDepthMax) {
      const inner = take(one => quote.test(one)).map(one => quote.exec(one)![1]!)
      blocks.push({ kind: 'quote', blocks: blocksOf(inner, depth + 1) })
    } else if (item.test(line)) {
      blocks.push(listOf(take(one => one.trim() !== '' && !rule.test(one))))
    } else {
      at += 1
      const rest = take(one => one.trim() !== '' && !beginsBlock(one))
      const inner = inlinesOf([line, ...rest].map(one => one.trim()).join(' '))
      blocks.push({ kind: 'paragraph', inner })
    }
  }
  return blocks
}

function beginsBlock(line: string): boolean {
  return [heading, rule, item, quote, fence].some(form => form.test(line))
}

/** Lines that begin no item go on with the one before. */
function listOf(lines: readonly string[]): Block {
  const items: string[] = []
  for (const line of lines) {
    const own = item.exec(line)
    if (own === null && items.length > 0) items[items.length - 1] += ` ${line.trim()}`
    else items.push(own?.[3] ?? line.trim())
  }
  const isNumbered = item.exec(lines[0]!)?.[2] !== undefined
  return { kind: 'list', isNumbered, items: items.map(text => inlinesOf(text)) }
}

const marks = [
  /(?<code>`+)(?<codeText>.+?)\k<code>(?!`)/,
  /\*\*(?<strong>[^\s*](?:.*?[^\s])?)\*\*/,
  /__(?<strong>[^\s_](?:.*?[^\s])?)__/,
  /\[(?<linkText>[^\][]+)\]\((?<to>[^\s()]+)\)/,
  /\*(?<emphasis>[^\s*](?:[^*]*[^\s*])?)\*/,
  /(?<![\p{L}\p{N}])_(?<emphasis>[^\s_](?:[^_]*[^\s_])?)_(?![\p{L}\p{N}])/u,
]

/** Marks in marks deeper than this, and in lines longer, are text: no note needs them. */
const inlineDepthMax = 6
const inlineLengthMax = 20_000

function inlinesOf(text: string, depth = 0): readonly Inline[] {
  if (text === '') return []
  const plain: Inline = { kind: 'text', text }
  if (depth > inlineDepthMax || text.length > inlineLengthMax) return [plain]
  const found: Inline[] = []
  let rest = text
  while (rest !== '') {
    const match = firstMark(rest)
    if (match === undefined) break
    if (match.index > 0) found.push({ kind: 'text', text: rest.slice(0, match.index) })
    found.push(markOf(match, depth))
    rest = rest.slice(match.index + match[0].length)
  }
  return rest === '' ? found : [...found, { kind: 'text', text: rest }]
}

function firstMark(text: string): RegExpExecArray | undefined {
  const matches = marks.map(form => form.exec(text)).filter(match => match !== null)
  return matches.toSorted((a, b) => a.index - b.index || b[0].length - a[0].length)[0]
}

function markOf({ 0: written, groups = {} }: RegExpExecArray, depth: number): Inline {
  const { codeText, strong, emphasis, linkText, to } = groups
  if (codeText !== undefined) return { kind: 'code', text: codeText.trim() || codeText }
  if (strong !== undefined) return { kind: 'strong', inner: inlinesOf(strong, depth + 1) }
  if (emphasis !== undefined) return { kind: 'emphasis', inner: inlinesOf(emphasis, depth + 1) }
  if (linkText === undefined || to === undefined || !isSafeLink(to)) {
    return { kind: 'text', text: written }
  }
  return { kind: 'link', to, inner: [{ kind: 'text', text: linkText }] }
}

/** Web and mail addresses, and paths of our own. */
export function isSafeLink(to: string): boolean {
  return /^(?:https?:\/\/|mailto:)[^\s]+$/i.test(to) || /^\/(?![/\\])[^\s]*$/.test(to)
}
