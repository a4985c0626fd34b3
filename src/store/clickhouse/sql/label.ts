/** Where the table has what a label names. */
import { ownName } from '../../../language/logql-names.ts'
import { levelLabel, messageLabel, patternLabel, streamLabels } from '../../../record.ts'
import type { Bound } from './bound.ts'
import { patternText } from './pattern-id.ts'

/** Whether labels are asked for under LogQL's names, which several attributes may have. */
export type Names = 'ours' | 'logql'

const columns: ReadonlyMap<string, string> = new Map([
  [streamLabels.service, 'ServiceName'],
  [streamLabels.environment, 'Environment'],
  [levelLabel, 'Level'],
  [messageLabel, 'Body'],
])

/** The text of a label that a question asks for, not NULL. */
export type LabelTexts = (label: string, bound: Bound) => string

/** Of records as they came. */
export function textsAsTheyCame(names: Names): LabelTexts {
  return (label, bound) =>
    label === patternLabel ? ownOrPattern(bound) : labelText(label, bound, names)
}

/** An attribute of that name, if it is not empty; else the id of the message's pattern. */
export function ownOrPattern(bound: Bound): string {
  const own = attributeText(patternLabel, bound)
  return `if(${own} = '', ${patternText}, ${own})`
}

/** The column of a label that every record has; undefined for an attribute. */
export function columnOf(label: string): string | undefined {
  return columns.get(label)
}

export function isMessage(label: string): boolean {
  return label === messageLabel
}

/** The label's text of a record: empty where it has no such attribute. */
export function labelText(label: string, bound: Bound, names: Names = 'ours'): string {
  const column = columnOf(label)
  if (column !== undefined) return column
  return names === 'ours' ? attributeText(label, bound) : ownOr(label, bound)
}

/**
 * The attribute of that very name, whatever else has it. An empty name ClickHouse finds in a column of its
 * own, and nowhere else: `[]` and `mapContains` take it for none.
 */
export function attributeText(name: string, bound: Bound): string {
  if (name !== '') return `LogAttributes[${bound.text(name)}]`
  return `arrayFirst((text, name) -> name = '', mapValues(LogAttributes), mapKeys(LogAttributes))`
}

/** Whether a record has an attribute of that very name, be it empty. */
export function hasAttribute(name: string, bound: Bound): string {
  if (name !== '') return `mapContains(LogAttributes, ${bound.text(name)})`
  return `arrayExists(name -> name = '', mapKeys(LogAttributes))`
}

/** The attribute of that very name, whatever it holds; else what has the name in LogQL. */
function ownOr(name: string, bound: Bound): string {
  const text = attributeText(name, bound)
  const other = alikeText(name, bound)
  if (other === undefined) return text
  return `if(${hasAttribute(name, bound)}, ${text}, toString(${other}))`
}

/** LogQL's name of a label, as `logqlName` has it. `name`: in SQL. */
export function logqlNameIn(name: string): string {
  const written = `concat(if(match(${name}, '^[0-9]'), '_', ''), replaceRegexpAll(${name}, '[^A-Za-z0-9_]', '_'))`
  return `transform(${name}, ['service.name', 'log_level'], ['service_name', 'detected_level'], ${written})`
}

/** Of attributes whose name in LogQL this is, the first that is not empty; undefined where none can be. */
export function alikeText(name: string, bound: Bound): string | undefined {
  const form = alikeForm(name)
  if (form === undefined) return undefined
  const isAlike = `(text, name) -> text != '' AND match(name, ${bound.text(form)})`
  return `arrayFirst(${isAlike}, mapValues(LogAttributes), mapKeys(LogAttributes))`
}

/** An expression for all names that are written so in LogQL (see `logqlName`); undefined: only itself is. */
export function alikeForm(name: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || !name.includes('_')) return undefined
  const signs = name.replaceAll('_', '[^A-Za-z0-9]')
  // What begins with a digit has an underscore before it.
  const form = /^_[0-9]/.test(name) ? signs.replace(']', ']?') : signs
  const own = ownName(name).replaceAll('.', '[.]')
  return `\\A(?:${form}|${own})\\z`
}
