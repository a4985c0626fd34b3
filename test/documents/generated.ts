/**
 * The parts of documents that are made from the sources: tables and lists between `<!-- generated: NAME -->` and
 * `<!-- /generated -->`. `npm run docs` writes them, a test holds them to the sources.
 */
import { serviceSettings } from '../../src/config/config.ts'
import type { Setting } from '../../src/config/settings.ts'
import { reasonKinds } from '../../src/health.ts'
import { problems } from '../../src/problems.ts'

const columnsMax = 120

/** By name, without the marks. */
const parts: Readonly<Record<string, () => string>> = {
  settings: settingsList,
  problems: problemsTable,
  reasons: reasonsTable,
}

const marked = /(<!-- generated: ([a-z]+) -->\n)[\s\S]*?(<!-- \/generated -->)/g

/** The document with its generated parts as they should be. Throws Error for a part of an unknown name. */
export function withGenerated(document: string): string {
  return document.replace(marked, (_, begin: string, name: string, end: string) => {
    const made = parts[name]
    if (made === undefined) throw new Error(`nothing generated is called ${name}`)
    return `${begin}${made()}${end}`
  })
}

/** The names of a document's generated parts. */
export function generatedNames(document: string): string[] {
  return [...document.matchAll(marked)].map(([, , name]) => name!)
}

/** A list: sentences are too long for the cells of a table. */
function settingsList(): string {
  return (Object.values(serviceSettings) as Setting<unknown>[])
    .map(setting => {
      const { flag, variable, isSecret, help } = setting
      const flags = `**\`--${flag}\`**${isSecret ? `, \`--${flag}-file\`` : ''}`
      const text = `${help}. ${expectedOf(setting)}`.trim()
      return `${wrapped(`* ${flags} (\`${variable}\`; ${defaultOf(setting)}): ${text}`)}\n`
    })
    .join('')
}

/** An item of a list in lines of at most `columnsMax`. */
function wrapped(item: string): string {
  const lines: string[] = []
  let line = ''
  for (const word of item.split(' ')) {
    if (line.length + 1 + word.length > columnsMax) {
      lines.push(line)
      line = `  ${word}`
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line].join('\n')
}

function defaultOf({ kind, fallback, fallbackText }: Setting<unknown>): string {
  if (fallbackText !== undefined) return fallbackText.replace(/^default: /, '')
  return fallback === false ? 'off' : `\`${kind.print(fallback)}\``
}

/** What the kind takes, where the help does not say it already. */
function expectedOf({ kind }: Setting<unknown>): string {
  const isPlain = /^(a text|the path|no value|on or off)/.test(kind.expected)
  return isPlain || kind.placeholder === ''
    ? ''
    : `Takes ${kind.expected.replace(/, such as .*/, '')}.`
}

function problemsTable(): string {
  const rows = Object.entries(problems)
    .map(([code, { status, title }]) => [String(status), `\`${code}\``, title])
    .sort(([one], [other]) => Number(one) - Number(other))
  return tableOf(['Status', '`code`', ''], rows)
}

function reasonsTable(): string {
  const rows = Object.entries(reasonKinds).map(([name, { stopsEvents, help }]) => [
    `\`${name}\``,
    help,
    stopsEvents ? 'no: `/ready` is 503' : 'yes',
  ])
  return tableOf(['Reason', 'Means', 'Events are taken'], rows)
}

function tableOf(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |\n`
  return line(columns) + line(columns.map(() => '---')) + rows.map(line).join('')
}
