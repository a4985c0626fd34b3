/**
 * What tests read of a document: its fenced blocks and its tables. The documents' Markdown is plain: fences of
 * three backticks at the beginning of a line, tables with a bar at both ends of each row.
 */
import fs from 'node:fs'
import { join } from 'node:path'

export const projectRoot = join(import.meta.dirname, '../..')

export interface Block {
  /** What stands behind the opening fence, such as `sh`. */
  readonly info: string
  readonly text: string
}

export interface Table {
  /** The header's cells. */
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** The text of a document, by its path from the project's root. Throws as `readFileSync` does. */
export function readDocument(path: string): string {
  return fs.readFileSync(join(projectRoot, path), 'utf8')
}

/** All documents of the project, by their paths from its root. */
export function documentPaths(): string[] {
  return fs
    .globSync(['*.md', '.github/*.md', '{src,bench,test}/**/*.md'], { cwd: projectRoot })
    .sort()
}

export function blocksOf(document: string): Block[] {
  const fences = document.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)
  return [...fences].map(([, info, text]) => ({ info: info!, text: text! }))
}

export function tablesOf(document: string): Table[] {
  const tables = withoutBlocks(document).matchAll(/^(\|.*\|)\n\|[-:| ]+\|\n((?:\|.*\|\n)*)/gm)
  return [...tables].map(([, header, body]) => ({
    columns: cellsOf(header!),
    rows: body!.trimEnd().split('\n').map(cellsOf),
  }))
}

/** The document without its fenced blocks: what is prose, lists and tables. */
export function withoutBlocks(document: string): string {
  return document.replace(/^```[^\n]*\n[\s\S]*?^```$/gm, '')
}

/** What a cell or a sentence has in backticks, one code span or none. */
export function codeOf(cell: string): string | undefined {
  const [, fence, code] = /(`+) ?(.+?) ?\1(?!`)/.exec(cell) ?? []
  return fence === undefined ? undefined : code
}

function cellsOf(row: string): string[] {
  return row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map(cell => cell.trim().replaceAll('\\|', '|'))
}
