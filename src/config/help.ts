/**
 * Prints a table of settings for people: as `--help`, and as `--print-config` with each value and
 * where it came from. Nothing is wider than `columnsMax`.
 */
import type { ReadSettings, Setting, Settings } from './settings.ts'

const columnsMax = 96
const flagColumns = 32

/** A flag and its explanation side by side, for each setting. */
export function describeSettings<Values extends object>(table: Settings<Values>): string {
  return (Object.values(table) as Setting<unknown>[])
    .map(setting => twoColumns(flagText(setting), [`${setting.help}.`, originText(setting)]))
    .join('\n')
}

/** One row of two columns; each of `paragraphs` starts on a line of its own on the right. */
export function twoColumns(left: string, paragraphs: readonly string[]): string {
  const right = paragraphs
    .filter(paragraph => paragraph !== '')
    .flatMap(paragraph => wrap(paragraph, columnsMax - flagColumns))
  const lines = right.map(line => ' '.repeat(flagColumns) + line)
  const label = `  ${left}`
  if (label.length < flagColumns && lines.length > 0) {
    lines[0] = label.padEnd(flagColumns) + lines[0]!.slice(flagColumns)
  } else {
    lines.unshift(label)
  }
  return lines.join('\n')
}

/** Text broken between words into lines that fit the page. */
export function paragraph(text: string): string {
  return wrap(text, columnsMax).join('\n')
}

/** `--flag value   where it came from`, one line a setting; secrets as asterisks. */
export function printSettings<Values extends object>(
  table: Settings<Values>,
  { values, sources }: ReadSettings<Values>,
): string {
  const lines: string[] = []
  for (const [name, setting] of Object.entries(table) as [keyof Values, Setting<unknown>][]) {
    const value = values[name]
    const printed = value === undefined ? '(not set)' : setting.kind.print(value)
    const shown = setting.isSecret && value !== undefined ? '********' : printed
    const source = sources[name]
    lines.push(`--${setting.flag.padEnd(flagColumns - 6)} ${shown.padEnd(24)} ${source}`)
  }
  return lines.join('\n')
}

function flagText({ flag, kind, isSecret }: Setting<unknown>): string {
  const alternative = isSecret ? `, --${flag}-file PATH` : ''
  return `--${flag} ${kind.placeholder}`.trimEnd() + alternative
}

/** Where else the setting may be given, and its default. */
function originText({
  variable,
  kind,
  fallback,
  fallbackText,
  isSecret,
}: Setting<unknown>): string {
  const variables = variable !== undefined && isSecret ? `${variable}, ${variable}_FILE` : variable
  const isPlain = fallback === undefined || fallback === false
  const printed = fallbackText ?? (isPlain ? undefined : `default ${kind.print(fallback)}`)
  return [variables, printed].filter(part => part !== undefined).join(' · ')
}

function wrap(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line]
}
