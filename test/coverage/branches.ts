/** Files and their branches, as istanbul's format for coverage has them, in words. */
import fs from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'

/** The part of istanbul's report of one file that is about branches. Columns count from 0. */
export interface FileCoverage {
  readonly branchMap: Readonly<Record<string, { readonly loc: Place }>>
  /** How often each was taken. */
  readonly b: Readonly<Record<string, readonly number[]>>
}

interface Place {
  readonly start: { readonly line: number; readonly column: number }
  readonly end: { readonly line: number; readonly column: number }
}

/** The files at or below these paths whose names end so, in order of name. */
export function filesBelow(root: string, paths: readonly string[], end: string): string[] {
  const files = paths.flatMap(path =>
    path.endsWith(end)
      ? [path]
      : fs
          .readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
          .filter(name => name.endsWith(end))
          .map(name => join(path, name)),
  )
  return files.sort()
}

/** The TypeScript files at or below these paths that are more than types. */
export function withCode(root: string, paths: readonly string[]): string[] {
  return filesBelow(root, paths, '.ts').filter(path =>
    hasCode(fs.readFileSync(join(root, path), 'utf8')),
  )
}

function hasCode(text: string): boolean {
  const withoutComments = stripTypeScriptTypes(text).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  return /[^\s;]/.test(withoutComments)
}

/** A line for each branch that was never taken: where it is, and the text it begins with. */
export function uncoveredText(root: string, path: string, coverage: FileCoverage): string[] {
  const lines = fs.readFileSync(join(root, path), 'utf8').split('\n')
  return Object.entries(coverage.branchMap)
    .filter(([id]) => coverage.b[id]!.includes(0))
    .map(([, { loc }]) => {
      const { start, end } = loc
      const text = lines[start.line - 1]!.slice(start.column).trim() || lines[start.line]!.trim()
      return `${path}:${start.line}:${start.column + 1} to line ${end.line}: ${text}`
    })
}
